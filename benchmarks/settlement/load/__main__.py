"""`python -m benchmarks.settlement.load FILE BETS_PER_SECOND`: ingests a feed until SIGTERM.

Prints "begun" after its first commit, and the achieved bets per second at the end.
"""

import os
import signal
import sys
import time
from pathlib import Path
from threading import Event

import django


def main() -> None:
    """Ingests in time."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    django.setup()
    from benchmarks.settlement.load.ingest_feed import hand_over

    stopped = Event()  # seen between two batches: an exception could meet a commit
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    bets, started = 0, time.monotonic()
    for so_far in hand_over(Path(sys.argv[1]), bets_per_s=int(sys.argv[2])):
        if not bets:
            print("begun", flush=True)
        bets = so_far
        if stopped.is_set():
            break
    print(bets / (time.monotonic() - started))


if __name__ == "__main__":
    main()
