"""Comments of staff on customers, rounds, cases and disputes."""
