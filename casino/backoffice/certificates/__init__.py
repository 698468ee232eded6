"""Certificates of rule sets, multiplier weights, and likelihood of results."""
