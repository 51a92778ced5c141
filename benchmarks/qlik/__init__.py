"""Qlik Replicate's messages, its floor and the job that one would write hand-written for it."""
