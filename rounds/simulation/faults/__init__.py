"""Injected faults: rounds with exactly one named anomaly, and invalid documents.

A fault changes a legal round so that it has exactly one anomaly, or returns None if the round is
unsuitable. It is derived from the feed contract, independently of the rules engine.
"""
