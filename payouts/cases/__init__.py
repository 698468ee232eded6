"""Decisions on money before they are taken: about which rounds, which there are, what they do."""
