"""Running reconciliations in parts, while settlement goes on.

A part is one transaction: it checks its range in one snapshot and then writes its result. Its row
stays locked meanwhile, so that no other worker claims it and a killed worker releases it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import translation

from compliance.storage.advisory_locks import lock_names
from compliance.storage.claimed_parts import claim_part, reading_only
from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from compliance.trail.key_ranges import KeyRange, trail_ranges
from compliance.trail.record import Entry
from compliance.trail.shared_runs import finish_run, sums_of
from payouts.carried_forward.detached_months import KEEP_MONTHS, detached_months
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import stop_settlement
from payouts.reconciliation.checks.accounts import SHARED_ACCOUNTS, AccountRange
from payouts.reconciliation.checks.all_checks import (
    check_house,
    check_owners,
    owner_account_ranges,
    round_ranges,
)
from payouts.reconciliation.checks.audit_trail import check_records
from payouts.reconciliation.checks.carried import check_detached_month
from payouts.reconciliation.checks.days import Days, check_days, day_ranges
from payouts.reconciliation.checks.decisions import check_decisions
from payouts.reconciliation.checks.differences import COUNTED, CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.checks.rounds import check_rounds
from payouts.reconciliation.models import ReconcileDifference, ReconcilePart, ReconcileRun

_RECORDS: Final = 200_000
"""The weight of a part of the trail: its records, plus ten per batch."""

Kind = ReconcilePart.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What is reconciled: everything, days of play in Rome (inclusive), or one round."""

    first_day: date | None = None
    last_day: date | None = None
    round_id: UUID | None = None

    @property
    def days(self) -> Days:
        """The days; unbounded without a day."""
        return Days(self.first_day, self.last_day)


EVERYTHING: Final = Scope()


def begin_reconciliation(*, scope: Scope, at: datetime, actor: Actor) -> ReconcileRun:
    """Creates a run with its parts.

    A run of days checks their rounds, totals and records. Balances depend on all days, so only a
    run of everything checks accounts.
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
    """Begins a run of everything unless the actor began one within the interval ``every``."""
    with transaction.atomic():
        lock_names([f"reconcile:{actor.name}"])
        if ReconcileRun.objects.filter(actor=actor.name, started_at__gt=at - every).exists():
            return None
        return begin_reconciliation(scope=EVERYTHING, at=at, actor=actor)


def work_on_part(run_id: int, *, now: Callable[[], datetime]) -> bool:
    """Claims a free part and checks it. False if there is none."""
    return retry_on_conflict(lambda: _work_on_part(run_id, now))


def finish_reconciliation(run_id: int, *, now: Callable[[], datetime]) -> bool:
    """Finishes and records a run whose parts are all done. Returns whether it is finished."""
    parts = ReconcilePart.objects.filter(run=run_id)
    return finish_run(ReconcileRun, run_id, parts=parts, entry_of=_entry, now=now)


def figures_of(run: ReconcileRun) -> dict[str, int]:
    """The counts of a run so far, with the number of differences."""
    return sums_of(run.parts.all(), _FIGURES)


def _parts(run: ReconcileRun, scope: Scope) -> list[ReconcilePart]:
    """The parts of a run, the longest first, so that workers finish together."""
    if scope.round_id is not None:
        only = KeyRange(scope.round_id, UUID(int=scope.round_id.int + 1))
        return [_of_keys(run, Kind.ROUNDS, only)]
    keys = scope.days.keys
    parts: list[ReconcilePart] = []
    if scope == EVERYTHING:
        ranges = [(Kind.SHARED, SHARED_ACCOUNTS)]
        ranges += [(Kind.CUSTOMERS, accounts) for accounts in owner_account_ranges()]
        parts += [
            ReconcilePart(run=run, kind=kind, first_account=ids.first, end_account=ids.end)
            for kind, ids in ranges
        ]
        parts += [_of_keys(run, Kind.DETACHED, month.keys) for month in detached_months()]
    parts += [
        ReconcilePart(run=run, kind=Kind.DAYS, first_day=days.first, last_day=days.last)
        for days in day_ranges(scope.days)
    ]
    parts += [_of_keys(run, Kind.ROUNDS, range_) for range_ in round_ranges(scope.days)]
    parts += [
        _of_keys(run, Kind.RECORDS, range_) for range_ in trail_ranges(most=_RECORDS, within=keys)
    ]
    return parts


def _of_keys(run: ReconcileRun, kind: ReconcilePart.Kind, keys: KeyRange) -> ReconcilePart:
    return ReconcilePart(run=run, kind=kind, first_key=keys.first, end_key=keys.end)


def _work_on_part(run_id: int, now: Callable[[], datetime]) -> bool:
    part = claim_part(ReconcilePart.objects.filter(run_id=run_id), lock=KEEP_MONTHS)
    if part is None:
        return False
    result = CheckResult()
    with reading_only():
        _CHECKS[part.kind](part, result)
    _store(part, result, at=now())
    return True


def _store(part: ReconcilePart, result: CheckResult, *, at: datetime) -> None:
    differences = [
        ReconcileDifference(part=part, **difference._asdict()) for difference in result.differences
    ]
    ReconcileDifference.objects.bulk_create(differences, batch_size=_AT_ONCE)
    if differences:
        with translation.override("en"):
            texts = [difference_message(difference) for difference in differences]
        unlisted = result.differing - len(differences)
        stop_settlement(IntegrityStop.Kind.BOOKS, texts, at=at, more=unlisted)
    for name in COUNTED:
        setattr(part, name, result.looked_at[name])
    part.differences = result.differing
    part.done_at = at
    part.save(update_fields=[*_FIGURES, "done_at"])


def _check_shared(_part: ReconcilePart, result: CheckResult) -> None:
    check_house(result)
    check_decisions(result)


def _check_customers(part: ReconcilePart, result: CheckResult) -> None:
    check_owners(AccountRange(part.first_account, part.end_account), result)


def _check_detached(part: ReconcilePart, result: CheckResult) -> None:
    """Unless the month was restored since."""
    for month in detached_months():
        if month.keys.first == part.first_key:
            check_detached_month(month, result)


def _check_days(part: ReconcilePart, result: CheckResult) -> None:
    check_days(Days(part.first_day, part.last_day), result)


def _check_rounds(part: ReconcilePart, result: CheckResult) -> None:
    check_rounds(KeyRange(part.first_key, part.end_key), result)


def _check_records(part: ReconcilePart, result: CheckResult) -> None:
    check_records(KeyRange(part.first_key, part.end_key), result)


_CHECKS: Final[Mapping[str, Callable[[ReconcilePart, CheckResult], None]]] = {
    Kind.SHARED.value: _check_shared,
    Kind.CUSTOMERS.value: _check_customers,
    Kind.DETACHED.value: _check_detached,
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
