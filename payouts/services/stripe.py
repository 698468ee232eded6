"""Which rows of striped accounts and totals this process writes to."""

import os
from typing import Final

STRIPES: Final = 16
"""Rows of each account and of each daily total that every round touches."""


def own_stripe() -> int:
    """From 0 to 15; the same as long as the process lives."""
    return os.getpid() % STRIPES
