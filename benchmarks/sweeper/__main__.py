"""One process: says that it is ready, waits to be told, sweeps, says what it cost."""

import json
import os
import sys
from importlib import import_module

import django


def main() -> None:
    """Settles until nothing waits that nobody else has in hand."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from django.utils import timezone  # noqa: PLC0415  once Django is set up

    from benchmarks.spent import spend  # noqa: PLC0415
    from benchmarks.sweeper import UNPROVED  # noqa: PLC0415
    from compliance.trail.actor import WORKER  # noqa: PLC0415
    from payouts.services.sweep import sweep_waiting_rounds  # noqa: PLC0415

    if UNPROVED in sys.argv:
        _prove_nothing()
    spend(lambda: None)  # connects
    print("ready", flush=True)
    sys.stdin.readline()
    spent = spend(lambda: sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=sys.maxsize))
    print(json.dumps(spent), flush=True)


def _prove_nothing() -> None:
    """Leaves out leaves, roots, batches and what waits for the log: the other side of their cost.

    Nothing of ours can be told to do that; so it is done to the module.
    """
    record = import_module("compliance.trail.record")
    no_leaf = bytes(32)
    unproved = "SELECT %s::uuid, %s::timestamptz, %s, %s::bytea"
    for name, value in (
        ("leaves_of", lambda records, **_who: (no_leaf for _ in records)),
        ("root_of", lambda _leaves: no_leaf),
        ("_BATCH", unproved),
    ):
        setattr(record, name, value)


if __name__ == "__main__":
    main()
