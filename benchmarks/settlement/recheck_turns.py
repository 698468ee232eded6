"""A process of the benchmark: takes turns of the random share until its input ends."""

import os
import select
import sys
from datetime import timedelta
from typing import Final

import django

EVERY_SECONDS: Final = 1.0
"""Ten times as often as beat wakes workers for it."""


def main() -> None:
    """Prints ``ready``, then takes a turn every second, half a second long where nothing waits."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from django.utils import timezone

    from payouts.recheck.recheck_share import recheck_share

    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], EVERY_SECONDS)[0]:
        recheck_share(now=timezone.now, seconds=0.5, recent=timedelta(hours=6))


if __name__ == "__main__":
    main()
