"""Reconciling: a run, its parts, and whoever works on them, at once with settlement.

A part is one transaction. It sees one moment of the database, looks at its stretch in it without
writing, and then writes what it found; its row is locked as long, so nobody else takes it, and a
part whose worker was killed is free again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Sum

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.stretches import Stretch, cut_trail
from payouts.models import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.reconciling.accounts import OF_THE_HOUSE, AccountRange
from payouts.reconciling.days import Days, check_days, cut_days
from payouts.reconciling.everything import check_house, check_owners, cut_owners, cut_rounds
from payouts.reconciling.found import COUNTED, Found
from payouts.reconciling.records import check_records
from payouts.reconciling.rounds import check_rounds
from payouts.services.collisions import again_after_collision
from rounds.services.intake import lock_names

_RECORDS: Final = 200_000
"""What a part of the trail weighs: its records, and ten more for each batch."""

Kind = ReconcilePart.Kind

_CLAIM: Final = """
    SELECT id FROM payouts_reconcilepart
     WHERE run_id = %s AND done_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What is reconciled: everything, some days of play in Rome (both included), or one round."""

    first_day: date | None = None
    last_day: date | None = None
    round_id: UUID | None = None

    @property
    def days(self) -> Days:
        """The days, open where none is named."""
        return Days(self.first_day, self.last_day)


EVERYTHING: Final = Scope()


def begin_reconciliation(*, scope: Scope, at: datetime, actor: Actor) -> ReconcileRun:
    """Makes a run with all its parts, which wait for whoever works.

    Of a round only the round is looked at. Of days it is their rounds, totals and records; balances
    come of all days, so that only a run of everything looks at accounts.
    """
    with transaction.atomic():
        run = ReconcileRun.objects.create(
            started_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
            first_day=scope.first_day,
            last_day=scope.last_day,
            round_id=scope.round_id,
        )
        ReconcilePart.objects.bulk_create(_parts(run, scope), batch_size=_AT_ONCE)
    return run


def begin_nightly(*, at: datetime, actor: Actor, every: timedelta) -> ReconcileRun | None:
    """Begins a run of everything unless the same actor began one so short a time ago."""
    with transaction.atomic():
        lock_names([f"reconcile:{actor.name}"])
        if ReconcileRun.objects.filter(actor=actor.name, started_at__gt=at - every).exists():
            return None
        return begin_reconciliation(scope=EVERYTHING, at=at, actor=actor)


def work_on_part(run_id: int, *, now: Callable[[], datetime]) -> bool:
    """Takes a part that is free and does it; False where none is."""
    return again_after_collision(lambda: _work_on_part(run_id, now))


def finish_reconciliation(run_id: int, *, now: Callable[[], datetime]) -> bool:
    """Ends a run whose last part is done and puts it on record, once; says whether it is over."""
    with transaction.atomic():
        run = ReconcileRun.objects.select_for_update().get(pk=run_id)
        if run.finished_at is None and not run.parts.filter(done_at=None).exists():
            run.finished_at = now()
            run.save(update_fields=["finished_at"])
            record_entries([_entry(run)], at=run.finished_at, actor=_actor_of(run))
    return run.finished_at is not None


def figures_of(run: ReconcileRun) -> dict[str, int]:
    """What a run has looked at so far, and how many differences it found."""
    sums = run.parts.aggregate(**{name: Sum(name, default=0) for name in _FIGURES})
    return {name: int(sums[name]) for name in _FIGURES}


def _parts(run: ReconcileRun, scope: Scope) -> list[ReconcilePart]:
    """The longest first, so that nobody is left alone with them in the end."""
    if scope.round_id is not None:
        only = Stretch(scope.round_id, UUID(int=scope.round_id.int + 1))
        return [_of_keys(run, Kind.ROUNDS, only)]
    keys = scope.days.keys
    parts: list[ReconcilePart] = []
    if scope == EVERYTHING:
        ranges = [(Kind.SHARED, OF_THE_HOUSE)]
        ranges += [(Kind.CUSTOMERS, accounts) for accounts in cut_owners()]
        parts += [
            ReconcilePart(run=run, kind=kind, first_account=one.first, end_account=one.end)
            for kind, one in ranges
        ]
    parts += [
        ReconcilePart(run=run, kind=Kind.DAYS, first_day=days.first, last_day=days.last)
        for days in cut_days(scope.days)
    ]
    parts += [_of_keys(run, Kind.ROUNDS, one) for one in cut_rounds(scope.days)]
    parts += [_of_keys(run, Kind.RECORDS, one) for one in cut_trail(most=_RECORDS, within=keys)]
    return parts


def _of_keys(run: ReconcileRun, kind: ReconcilePart.Kind, keys: Stretch) -> ReconcilePart:
    return ReconcilePart(run=run, kind=kind, first_key=keys.first, end_key=keys.end)


def _work_on_part(run_id: int, now: Callable[[], datetime]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute(_CLAIM, [run_id])
        claimed = cursor.fetchone()
    if claimed is None:
        return False
    part = ReconcilePart.objects.get(pk=claimed[0])
    found = Found()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")  # as far as the savepoint reaches
        _CHECKS[part.kind](part, found)
    _keep(part, found, at=now())
    return True


def _keep(part: ReconcilePart, found: Found, *, at: datetime) -> None:
    ReconcileDifference.objects.bulk_create(
        [ReconcileDifference(part=part, **one._asdict()) for one in found.differences],
        batch_size=_AT_ONCE,
    )
    for name in COUNTED:
        setattr(part, name, found.looked_at[name])
    part.differences = found.differing
    part.done_at = at
    part.save(update_fields=[*_FIGURES, "done_at"])


def _check_shared(_part: ReconcilePart, found: Found) -> None:
    check_house(found)


def _check_customers(part: ReconcilePart, found: Found) -> None:
    check_owners(AccountRange(part.first_account, part.end_account), found)


def _check_days(part: ReconcilePart, found: Found) -> None:
    check_days(Days(part.first_day, part.last_day), found)


def _check_rounds(part: ReconcilePart, found: Found) -> None:
    check_rounds(Stretch(part.first_key, part.end_key), found)


def _check_records(part: ReconcilePart, found: Found) -> None:
    check_records(Stretch(part.first_key, part.end_key), found)


_CHECKS: Final[Mapping[str, Callable[[ReconcilePart, Found], None]]] = {
    Kind.SHARED.value: _check_shared,
    Kind.CUSTOMERS.value: _check_customers,
    Kind.DAYS.value: _check_days,
    Kind.ROUNDS.value: _check_rounds,
    Kind.RECORDS.value: _check_records,
}
_FIGURES: Final = (*COUNTED, "differences")
_AT_ONCE: Final = 1_000


def _entry(run: ReconcileRun) -> Entry:
    scope = {
        "from": None if run.first_day is None else run.first_day.isoformat(),
        "to": None if run.last_day is None else run.last_day.isoformat(),
        "round": None if run.round_id is None else str(run.round_id),
    }
    details: dict[str, Any] = {**scope, **figures_of(run)}
    return Entry("RECONCILED", f"reconciliation:{run.pk}", details)


def _actor_of(run: ReconcileRun) -> Actor:
    return Actor(run.actor, run.actor_user_id)
