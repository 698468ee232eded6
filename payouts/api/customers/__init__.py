"""Customers: the tokens with which they see what is theirs."""
