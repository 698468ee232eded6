"""Customers: what they bet, have and owe, contest, and what staff noted about them."""
