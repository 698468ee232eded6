"""Gaming days for tests: rounds at a time, settled at a time, and closed."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import (
    EVERYTHING,
    begin_reconciliation,
    finish_reconciliation,
    work_on_part,
)
from payouts.settlement.settle import Settled
from rounds.arrival import Arrival
from rounds.gaming_day import end_of_day
from rounds.services.ingest import Tally
from tests.casino_in_play import ingest, last_arrival, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.signers import signing

DAY: Final = date(2026, 11, 10)
NEXT: Final = date(2026, 11, 11)
NOON: Final = datetime(2026, 11, 10, 12, tzinfo=UTC)
AFTER: Final = end_of_day(DAY) + timedelta(hours=3)
"""The night after the day, when it is closed."""
COMPLIANCE: Final = signing("Lorenzo Ferri", 3)


def dealt(reference: str, opened: datetime, *, held: bool = False, **fields: Any) -> dict[str, Any]:
    """A round at that time: 22.00 staked and 25.00 paid, unless it is held."""
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


def arrive(*documents: dict[str, Any], at: datetime | None = None) -> Tally:
    """Ingests rounds at that time, by default once all are over."""
    arrival = None if at is None else Arrival(at)
    return ingest(lines(*documents), source="feed", at=at or NOON, arrival=arrival)


def settle_at(at: datetime | None = None) -> Settled:
    """Settles what waits at that time, by default after the last arrival."""
    return settle(at=at or last_arrival(NOON))


def reconcile_at(at: datetime = AFTER) -> ReconcileRun:
    """A reconciliation of everything, begun at that time."""
    run = begin_reconciliation(scope=EVERYTHING, at=at, actor=Actor("night"))
    while work_on_part(run.pk, now=timezone.now):
        pass
    assert finish_reconciliation(run.pk, now=timezone.now)
    return run


def close(day: date = DAY, *, at: datetime | None = None) -> DayClosing:
    """Reconciles after the end of the day and closes it, as a person does on its page."""
    then = at or end_of_day(day) + timedelta(hours=3)
    reconcile_at(then)
    at = then + timedelta(minutes=30)
    held = pending_items(day).all_held
    return close_day(day=day, at=at, actor=COMPLIANCE, acknowledged=held)


def closing_of(day: date = DAY) -> DayClosing:
    """The stored closing."""
    return DayClosing.objects.get(day=day)
