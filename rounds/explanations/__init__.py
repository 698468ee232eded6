"""Explanations of payouts as sentences, JSON and letters to customers."""
