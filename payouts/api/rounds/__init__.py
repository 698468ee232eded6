"""Rounds: taken in one by one, as a stream or as a job; read with results, reasons and proofs."""
