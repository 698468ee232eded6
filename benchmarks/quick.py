"""`make bench QUICK=1`: most parts with less data and fewer runs.

Its figures vary more. They are printed, and not among those that are quoted.
"""

import os
from typing import Final

QUICK: Final = os.environ.get("SABOT_BENCH_QUICK") == "1"


def sized(whole: int, *, quick: int) -> int:
    """So much of something in a whole run, or in a quick one."""
    return quick if QUICK else whole
