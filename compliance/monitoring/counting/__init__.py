"""The figures of one day of play, one module a kind: read in its transaction, written at once."""
