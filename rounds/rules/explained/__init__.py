"""Explanations of payouts, step by step, as data for any language."""
