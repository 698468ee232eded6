"""What rounds of a detached month leave behind: balances and daily sums carried forward."""
