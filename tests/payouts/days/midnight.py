"""Days that end: rounds at a time, settled at a time, and what it takes to close a day."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from compliance.trail.actor import WORKER, Actor
from payouts.models import DayClosing, ReconcileRun
from payouts.services.close_day import close_day
from payouts.services.reconcile import (
    EVERYTHING,
    begin_reconciliation,
    finish_reconciliation,
    work_on_part,
)
from payouts.services.settle import Settled
from payouts.services.sweep import sweep_waiting_rounds
from rounds.documents import read_documents
from rounds.gaming_day import end_of_day
from rounds.services.ingest import Tally, ingest_documents
from tests.casino_in_play import STUDIO
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines

DAY: Final = date(2026, 11, 10)
NEXT: Final = date(2026, 11, 11)
NOON: Final = datetime(2026, 11, 10, 12, tzinfo=UTC)
AFTER: Final = end_of_day(DAY) + timedelta(hours=3)
"""The night after the day, when it is closed."""
COMPLIANCE: Final = Actor("Lorenzo Ferri", 3)


def dealt(reference: str, opened: datetime, *, held: bool = False, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """A round of that time: 22.00 are staked and 25.00 are paid, unless it is held."""
    moments = {"opened_at": 0, "closed_at": 15, "ended_at": 52}
    times = {
        name: f"{opened + timedelta(seconds=after):%Y-%m-%dT%H:%M:%SZ}"
        for name, after in moments.items()
    }
    placed = f"{opened + timedelta(seconds=5):%Y-%m-%dT%H:%M:%SZ}"
    bets = [
        baccarat_bet("b1", "player", "10.00", placed_at=placed),
        baccarat_bet("b2", "banker", "10.00", placed_at=placed, player="p-2"),
        baccarat_bet("b3", "small", "2.00", placed_at=placed),
    ]
    make = held_baccarat_round if held else baccarat_round
    return make(reference, **{**times, "bets": bets, **fields})


def arrive(*documents: dict[str, Any], at: datetime = NOON) -> Tally:
    """Rounds are brought at that time, and wait."""
    tally = Tally()
    for batch in read_documents(lines(*documents)):
        tally = tally.plus(ingest_documents(batch, source="feed", at=at, actor=STUDIO))
    return tally


def settle_at(at: datetime = NOON) -> Settled:
    """A worker settles whatever waits, at that time."""
    return sweep_waiting_rounds(now=lambda: at, actor=WORKER, batches=1000)


def reconcile_at(at: datetime = AFTER) -> ReconcileRun:
    """A reconciliation of everything that was begun at that time."""
    run = begin_reconciliation(scope=EVERYTHING, at=at, actor=Actor("night"))
    while work_on_part(run.pk, now=timezone.now):
        pass
    assert finish_reconciliation(run.pk, now=timezone.now)
    return run


def close(day: date = DAY, *, at: datetime | None = None) -> DayClosing:
    """Reconciles after the day's end, and closes it."""
    then = at or end_of_day(day) + timedelta(hours=3)
    reconcile_at(then)
    return close_day(day=day, at=then + timedelta(minutes=30), actor=COMPLIANCE)
