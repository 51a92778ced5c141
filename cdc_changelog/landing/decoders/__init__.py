"""Decoders of bodies that are no JSON, in a folder of each vendor that has any."""
