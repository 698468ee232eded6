"""Signatures of persons: the keys that they hold, and the decisions that they sign with them."""
