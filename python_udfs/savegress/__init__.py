"""Savegress: checking the signatures of webhook deliveries."""
