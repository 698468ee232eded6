"""Comments on customers, rounds, cases and disputes: the panel of their pages, and the list."""
