"""The pending items of a gaming day: rounds, documents, cases and disputes."""

from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

from django.db.models import Count, QuerySet, Sum

from payouts.cases.models import CaseRound
from payouts.cases.status import open_cases
from payouts.disputes.models import Dispute
from payouts.disputes.status import State, actions_of, latest_steps
from payouts.gaming_days.amount import Amount
from payouts.reconciliation.bookings import HELD_ROUNDS
from payouts.reconciliation.checks.snapshot import fetch_rows
from rounds.gaming_day import ROME
from rounds.models import OpenConflict, OpenQuarantine, QueuedRound, Round

_HELD_SUMS: Final = f"""
    SELECT round.booked_on < %(day)s, count(*), coalesce(sum(round.staked_cents), 0)::bigint
    {HELD_ROUNDS} GROUP BY 1
"""


class PendingItems(NamedTuple):
    """What may still change of a day, or was not settled when it ended.

    Stakes include golden chips, as the held rounds of the control totals do.
    """

    held: Amount
    """Held rounds booked on the day."""
    held_earlier: Amount
    """Held rounds of earlier days that were undecided when the day ended."""
    waiting: Amount
    """Rounds of the day that await settlement. They prevent its closing."""
    failing: int
    """Of those, the rounds that failed to settle."""
    conflicts: Amount
    """Rounds of the day with an unresolved conflicting document."""
    quarantined: int
    """Unresolved quarantined documents received since the day began."""
    cases: Amount
    """Open cases about rounds of the day, with the stakes of these rounds."""
    disputes: Amount
    """Open disputes about rounds of the day, with the claims."""

    @property
    def all_held(self) -> Amount:
        """The held rounds that the closing records."""
        return Amount(
            self.held.number + self.held_earlier.number, self.held.cents + self.held_earlier.cents
        )

    @property
    def is_empty(self) -> bool:
        """Whether the day is final."""
        parts = (self.all_held, self.waiting, self.conflicts, self.cases, self.disputes)
        return not self.quarantined and not any(part.number for part in parts)


def pending_items(day: date) -> PendingItems:
    """The pending items of the day, as of now."""
    held = {bool(earlier): Amount(*sums) for earlier, *sums in fetch_rows(_HELD_SUMS, {"day": day})}
    waiting = QueuedRound.objects.filter(round__booked_on=day)
    return PendingItems(
        held=held.get(False, Amount()),
        held_earlier=held.get(True, Amount()),
        waiting=_stakes_of(waiting.values("round_id"), day),
        failing=waiting.filter(attempts__gt=0).count(),
        conflicts=_stakes_of(OpenConflict.objects.values("conflict__round_id"), day),
        quarantined=OpenQuarantine.objects.filter(document__received_at__gte=_begins(day)).count(),
        cases=_cases(day),
        disputes=_disputes(day),
    )


def _stakes_of(ids: QuerySet[Any, Any], day: date) -> Amount:
    sums = Round.objects.filter(booked_on=day, id__in=ids).aggregate(
        number=Count("id"), cents=Sum("staked_cents", default=0)
    )
    return Amount(**sums)


def _cases(day: date) -> Amount:
    in_cases = CaseRound.objects.filter(case__in=open_cases(), round__booked_on=day)
    number = in_cases.values("case_id").distinct().count()
    return Amount(number, _stakes_of(in_cases.values("round_id"), day).cents)


def _disputes(day: date) -> Amount:
    open_ids = latest_steps().exclude(action__in=actions_of(State.CLOSED)).values("dispute_id")
    sums = Dispute.objects.filter(pk__in=open_ids, round__booked_on=day).aggregate(
        number=Count("pk"), cents=Sum("claimed_cents", default=0)
    )
    return Amount(**sums)


def _begins(day: date) -> datetime:
    return datetime.combine(day, time(), ROME)
