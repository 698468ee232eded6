"""Rounds that go wrong on purpose, each in one way that has a name, and documents that are broken.

A fault changes a legal round so that exactly its anomaly is there, or says that this round does not
lend itself to it. What it must leave untouched follows from the feed contract, never from what the
rules engine happens to say.
"""
