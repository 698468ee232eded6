"""Months that are taken out of the database, and brought back."""
