"""The managed list of reasons."""
