"""Reconciliation runs and their differences."""
