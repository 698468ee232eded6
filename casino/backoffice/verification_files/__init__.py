"""Verification files: a round with its proofs and its judge, as one page that needs no network."""
