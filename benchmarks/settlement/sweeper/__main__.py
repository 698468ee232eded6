"""A process of the benchmark: prints ``ready``, waits for a line, settles, prints its cost."""

import json
import os
import sys
from collections import Counter
from importlib import import_module

import django


def main() -> None:
    """Settles batches until no queued round is left that no other process has locked."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from django.utils import timezone

    from benchmarks.processor_time import spend
    from benchmarks.settlement.stages import sample_stages
    from benchmarks.settlement.sweeper import SAMPLED, UNPROVED
    from compliance.trail.actor import WORKER
    from payouts.settlement.sweep import sweep_waiting_rounds

    if UNPROVED in sys.argv:
        _prove_nothing()
    spend(lambda: None)  # connects
    print("ready", flush=True)
    sys.stdin.readline()
    samples: Counter[str] = Counter()
    if SAMPLED in sys.argv:
        sample_stages(samples)
    spent = spend(lambda: sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=sys.maxsize))
    print(json.dumps(spent), json.dumps(samples), sep="\n", flush=True)


def _prove_nothing() -> None:
    """Records without leaves, roots and batches of the signed log, to measure what these cost.

    Sabot has no option for this, so the module is patched.
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
