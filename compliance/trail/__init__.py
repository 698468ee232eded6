"""The audit trail: who did what to a round or to money, and when. Knows no other package."""
