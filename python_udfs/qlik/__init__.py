"""Python functions for Qlik Replicate messages."""
