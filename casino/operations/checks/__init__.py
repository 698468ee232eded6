"""Checks of an installation: each finds out one thing, and says what was found and needed."""
