"""The guided tour: `make demo`."""
