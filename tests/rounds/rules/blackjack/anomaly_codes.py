"""Anomaly codes and cards that several tests use."""

MISSING = ("missing-card",)
EXTRA = ("extra-card",)
