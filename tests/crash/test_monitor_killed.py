"""Kill -9 of the monitor: after a restart it stores the same figures once."""

import logging
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from compliance.monitoring.models import (
    CountedDay,
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
    Look,
    WatchAlarm,
    WatchLook,
)
from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import watch_tables
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.models import Case
from tests.compliance.monitoring.dealt_rounds import FIRST, full_shoe, play_baccarat, shoe_without
from tests.crash.casino_state import StateReader
from tests.processes import manage, wait_until
from tests.repetitions import repeated

_SEED: Final = 20261122
_ROUNDS: Final = 360
_DAYS: Final = 6
_LAST: Final = (FIRST + timedelta(days=_DAYS - 1)).date()
_KILLED_AFTER: Final = (0, 0, 1, 2, 3, 4, *(_DAYS,) * 4)
"""Days that were counted when the kill comes; after all of them the monitor looks."""
_KILLS: Final = max(5, repeated(len(_KILLED_AFTER)))
_MOST_SECONDS: Final = 0.3
_FIGURES: Final = (
    CountedDay,
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
)
_log = logging.getLogger(__name__)


class Figures(NamedTuple):
    """The monitor's figures, without row numbers."""

    exact: list[str]
    inexact: list[float]
    """Sums of logarithms and the like: the last bit may depend on the order of the rounds."""
    alarms: list[tuple[Any, ...]]


def stored_figures() -> Figures:
    """Counts and evidence by day, and the latest look with all cases opened."""
    watched = WatchLook.objects.filter(look=Look.objects.latest("pk")).values(
        *("watch__what", "watch__rules", "watch__kind", "watch__table_id", "rounds", "in_alarm"),
        *("log_evidence", "leans", "returned", "z", "certified", "variance"),
    )
    figures = [model._default_manager.values() for model in _FIGURES]
    rows = [_split_figures(dict(row)) for row in chain(watched, *figures)]
    ordered = sorted(rows, key=lambda pair: pair[0])
    alarms = WatchAlarm.objects.values_list("watch__what", "watch__table__code", "case__text")
    return Figures(
        [exact for exact, _ in ordered],
        [value for _, inexact in ordered for value in inexact],
        sorted(alarms, key=str),
    )


def _split_figures(row: dict[str, Any]) -> tuple[str, list[float]]:
    """The exact part of a row as text, and its inexact floating-point values."""
    exact, inexact = {}, []
    for name, value in row.items():
        values = value if isinstance(value, list) else [value]
        if any(isinstance(entry, float) for entry in values):
            inexact += values
        elif name != "id":
            exact[name] = value
    return str(exact), inexact


def expected_figures() -> Figures:
    """The figures of a monitor that is not killed; they are rolled back."""
    with transaction.atomic():
        count_days()
        watch_tables(last_day=_LAST, at=timezone.now(), actor=Actor("watch_tables"))
        figures = stored_figures()
        transaction.set_rollback(True)
    return figures


def days_counted() -> int:
    """The number of days with figures."""
    return CountedDay.objects.values("day").distinct().count()


@pytest.fixture
def reader(fresh_casino: str) -> Iterator[StateReader]:
    """A reader of the database's state."""
    reader = StateReader(fresh_casino)
    yield reader
    reader.close()


def has_open_transaction(reader: StateReader) -> bool:
    """Whether a transaction is open."""
    state = reader.read()
    return state is not None and bool(state.at_work)


def start_monitor() -> "subprocess.Popen[bytes]":
    """Starts the monitor as an operator does."""
    return manage("watch_tables", "--day", str(_LAST), role=DatabaseRole.WORKER)


def killed_after(days: int, reader: StateReader, chance: Random) -> bool:
    """Starts the monitor and kills it in a transaction; False if it had already ended."""
    process = start_monitor()
    wait_until(
        lambda: (
            process.poll() is not None or (days_counted() >= days and has_open_transaction(reader))
        ),
        what=f"{days} days are counted and the monitor is at work",
    )
    if days == _DAYS:
        time.sleep(chance.uniform(0, _MOST_SECONDS))  # a day is counted sooner than that
    process.kill()
    ended = process.wait()
    wait_until(lambda: not has_open_transaction(reader), what="its transaction is rolled back")
    return ended == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_killed_monitor_stores_the_same_figures(
    reader: StateReader,
) -> None:
    """Six tables on one day each; the shoes of the first lack all nines."""
    for number in range(_DAYS):
        first = FIRST + timedelta(days=number)
        of = full_shoe if number else shoe_without("9")
        play_baccarat(_ROUNDS, table=f"bac-{number + 1}", first=first, of=of)
    with translation.override(settings.LANGUAGE_CODE):  # as a process of its own has it
        expected = expected_figures()
    chance = Random(_SEED)

    killed = [
        (days_counted(), Look.objects.count())
        for days in _KILLED_AFTER[:: len(_KILLED_AFTER) // _KILLS]
        if killed_after(days, reader, chance)
    ]
    ended = start_monitor().wait()

    _log.info("killed when so many days were counted and looks taken: %s", killed)
    figures = stored_figures()
    assert ended == 0
    assert figures.exact == expected.exact
    assert figures.inexact == pytest.approx(expected.inexact, rel=1e-9)
    assert figures.alarms == expected.alarms
    assert Case.objects.count() == len(expected.alarms) > 0
    assert AuditRecord.objects.filter(action="TABLE_IN_ALARM").count() == len(expected.alarms)
    assert AuditRecord.objects.filter(action="TABLES_WATCHED").count() == Look.objects.count()
    # Enough kills came before the end; how many fall into the look depends on the machine.
    assert sum(counted < _DAYS for counted, _looks in killed) >= 2
