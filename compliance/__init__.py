"""Proof and reporting: the audit trail, later the exports and certificates."""
