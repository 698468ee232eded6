"""Reconciliation: recomputes what is stored from the facts and reports differences."""
