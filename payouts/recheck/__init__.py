"""Verification of a random share of what is stored, all day: a planted change stops settlement."""
