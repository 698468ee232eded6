"""Disputes before they are decided: where they stand, by when, what the rules say about them."""
