"""`python -m benchmarks.settlement.load FILE BETS_PER_SECOND`: ingests a feed until SIGTERM.

Prints "begun" after its first commit, and the achieved bets per second at the end.
"""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

import django


class Stopped(Exception):
    """Nobody wants more."""


def main() -> None:
    """Ingests in time."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    django.setup()
    from benchmarks.settlement.load.ingest_feed import hand_over

    signal.signal(signal.SIGTERM, _stop)
    bets, started = 0, time.monotonic()
    try:
        for so_far in hand_over(Path(sys.argv[1]), bets_per_s=int(sys.argv[2])):
            if not bets:
                print("begun", flush=True)
            bets = so_far
    except Stopped:
        pass
    print(bets / (time.monotonic() - started))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped


if __name__ == "__main__":
    main()
