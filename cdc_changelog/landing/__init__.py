"""Ways for message bodies to get into `cdc_raw.<vendor>`, unchanged."""
