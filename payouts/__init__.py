"""Settlement, the double-entry ledger, cases, disputes and gaming days."""
