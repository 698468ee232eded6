"""Attacks on the database by processes and hosts that were taken over."""
