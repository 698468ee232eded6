"""Certification, exports, the table monitor, and the audit log."""
