"""The double-entry ledger: accounts, transfers, balances, pay-overs."""
