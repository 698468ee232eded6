"""Proof and reporting: audit trail, exports, certificates, monitoring and retention."""
