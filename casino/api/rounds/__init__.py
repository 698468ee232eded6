"""``/rounds``: deliver rounds, read rounds with results, reasons and proofs."""
