"""The archive of closed months: what is recorded of it, and queries on it."""
