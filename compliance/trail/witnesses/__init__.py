"""Witnesses: programs of others that cosign the heads of the log. ``witness`` is one of them."""
