"""The audit trail: who did what to a round or to money, and when."""
