"""The rounds that are measured: feeds, and databases filled with months of play."""
