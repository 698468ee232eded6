"""Signatures of studios over what they deliver: keys, batches of lines, HTTP requests."""
