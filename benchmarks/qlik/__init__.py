"""Qlik Replicate's messages, its floor and the hand-written job."""
