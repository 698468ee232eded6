"""What is owed and posted: settlement and the double-entry ledger."""
