"""Findings: the details of a held round's anomalies.

A verdict has codes alone, which suffices for settlement. Findings add the place of each fault, the
value found and the value needed, for pages and the API.
"""
