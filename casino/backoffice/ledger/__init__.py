"""Ledger accounts and audit records."""
