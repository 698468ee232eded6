"""Metrics for Prometheus: what is stored (``facts``), and what processes measure (``measures``)."""
