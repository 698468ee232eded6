"""``/disputes``: disputes of customers, with evidence, proposals and proofs."""
