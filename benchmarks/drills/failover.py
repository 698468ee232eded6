"""The primary is lost; Patroni promotes its replica; nothing that was acknowledged is missing."""

import argparse
import random
import time
from functools import partial
from pathlib import Path
from typing import Final

from django.db import connection

from benchmarks.drills.audit_log import check_log
from benchmarks.drills.books import check_books, stored_rounds
from benchmarks.drills.casino import Casino, broker, environment_of, prepare, running_casino
from benchmarks.drills.patroni import Node, Pair
from benchmarks.drills.progress import say, wait_for
from benchmarks.drills.studio import Studio
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name

_BEFORE_LOSS: Final = (5, 20)
"""Seconds of play, at random."""
_AFTERWARDS: Final = 10
_IN_FLIGHT: Final = 1
"""Seconds in which an answer may arrive that was given before the loss."""


def run(folder: Path, wanted: argparse.Namespace) -> None:
    """Plays, kills the primary, waits for the other, plays on, and lets the lost one rejoin."""
    pair = Pair(folder, ports=wanted.ports, password=wanted.password)
    try:
        pair.start()
        say("two servers run, each commit is on both")
        prepare()
        pair.give_passwords_to(map(role_name, ROLES))
        with broker(folder), running_casino(folder) as casino:
            _drill(casino, pair)
    finally:
        connection.close()
        pair.stop()


def _drill(casino: Casino, pair: Pair) -> None:
    old, new = pair.nodes
    casino.start()
    time.sleep(random.uniform(*_BEFORE_LOSS))  # noqa: S311  no secret
    lost_at = time.time()
    old.kill()
    say(f"the primary is killed; acknowledged: {len(casino.acknowledged)} rounds")
    wait_for(new.is_primary, what="the replica is promoted")
    say(f"the replica is promoted, {time.time() - lost_at:.1f} s after the loss")
    _wait_for_new_rounds(casino, lost_at)
    time.sleep(_AFTERWARDS)
    _rejoin(old, new)
    casino.stop()
    connection.close()
    missing = casino.acknowledged.keys() - stored_rounds()
    if missing:
        raise AssertionError(f"acknowledged, and lost: {sorted(missing)}")
    say(f"RPO: 0 of {len(casino.acknowledged)} acknowledged rounds are lost")
    _hand_over_the_rest(casino)
    check_books(casino.lines, worker=environment_of(DatabaseRole.WORKER))
    check_log(casino.log_key)


def _wait_for_new_rounds(casino: Casino, lost_at: float) -> None:
    """Until each channel has accepted rounds since the loss."""
    for name, studio in zip(("API", "ingest"), casino.studios, strict=True):
        times = partial(_acknowledged_after, studio, lost_at + _IN_FLIGHT)
        wait_for(times, what=f"{name} takes rounds again")
        say(f"RTO by {name}: {min(times()) - lost_at:.1f} s to the first accepted round")


def _acknowledged_after(studio: Studio, at: float) -> list[float]:
    return [piece.at for piece in list(studio.acknowledged) if piece.at > at]


def _rejoin(old: Node, new: Node) -> None:
    """The lost server comes back with its old data: Patroni rewinds it to the new primary."""
    began = time.monotonic()
    old.start()
    wait_for(old.is_synchronous_replica, what="the lost server is a synchronous replica")
    rewound = "pg_rewind" in old.log.read_text(errors="replace")
    how = "rewound by pg_rewind" if rewound else "without a rewind: nothing had diverged"
    say(
        f"the lost server replicates again, {time.monotonic() - began:.1f} s after its start, {how}"
    )
    if not new.is_primary():
        raise AssertionError("the primary changed when the lost server came back")


def _hand_over_the_rest(casino: Casino) -> None:
    """The pieces that were not acknowledged when the studios stopped."""
    for studio in casino.studios:
        if not casino.command(b"".join(studio.dealt)):
            raise AssertionError("a feed cannot be handed over again: see the log of ingest")
