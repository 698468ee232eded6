"""`python -m benchmarks.load FILE BETS_PER_SECOND`: hands over a feed until it ends or SIGTERM.

It prints "begun" behind its first commit, and at the end how many bets it handed over a second.
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
    from benchmarks.load.handing_over import hand_over  # noqa: PLC0415  once Django is set up

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
