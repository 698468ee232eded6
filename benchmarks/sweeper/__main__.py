"""One process: says that it is ready, waits to be told, sweeps, says what it cost."""

import json
import os
import sys

import django


def main() -> None:
    """Settles until nothing waits that nobody else has in hand."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from django.utils import timezone  # noqa: PLC0415  once Django is set up

    from benchmarks.spent import spend  # noqa: PLC0415
    from compliance.trail.actor import WORKER  # noqa: PLC0415
    from payouts.services.sweep import sweep_waiting_rounds  # noqa: PLC0415

    spend(lambda: None)  # connects
    print("ready", flush=True)
    sys.stdin.readline()
    spent = spend(lambda: sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=sys.maxsize))
    print(json.dumps(spent), flush=True)


if __name__ == "__main__":
    main()
