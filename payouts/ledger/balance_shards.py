"""The stripe of shared accounts and daily totals that a process writes to."""

import os
from typing import Final

STRIPES: Final = 16
"""The number of rows of each shared account and each daily total."""


def process_stripe() -> int:
    """The stripe of this process, from 0 to 15."""
    return os.getpid() % STRIPES
