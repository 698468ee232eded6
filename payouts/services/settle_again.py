"""Settling a round again: back with all that was moved, then as if for the first time.

A void and a resettlement are further settlements with the next sequence; what was is never edited.
Nothing can be undone twice: the round is locked, whoever decides names the settlement that he saw,
and the database has a key for what a transfer takes back (``transfer_reversed_once``).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.record import Entry, record_entries
from payouts.models import BetSettlement, Settlement
from payouts.services.collisions import again_after_collision
from payouts.services.ledger import change_balances, copy_transfers, lock_balances
from payouts.services.results import copy_results
from payouts.services.reversals import FurtherPostings, transfers_standing
from payouts.services.settlement import Decision, decide, insert_settlements, settled_entry
from payouts.services.stripe import own_stripe
from payouts.services.totals import Sums, Totals
from payouts.services.two_persons import ByTwo
from rounds.books import open_books
from rounds.gaming_day import gaming_day
from rounds.judging import RoundToJudge, rounds_to_judge
from rounds.models import QueuedRound, Round, StoredRuling, Validation
from rounds.rules.money import format_cents
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade, Verdict
from rounds.rulings import ruling_column

_LOCK_ROUND: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
NO_SETTLEMENT: Final = 0
"""The sequence to name where a round was never settled: it is held."""

_GRADE: Final = ("outcome", "payout_cents", "chips_cents", "reasons")


class NotSettledAgain(Exception):
    """A round that is not settled again; nothing was written."""


class RoundNotJudged(NotSettledAgain):
    """The round waits for its first settlement; a worker has to come first."""


class SettledMeanwhile(NotSettledAgain):
    """Somebody else settled the round after the persons had looked: they decide anew."""

    def __init__(self, latest: Settlement | None, *, after: int) -> None:
        found = "no settlement"
        if latest is not None:
            found = f"settlement {latest.sequence} ({latest.kind}) by {latest.actor}"
            found += f" at {latest.settled_at.isoformat()}"
        needed = f"settlement {after}" if after else "no settlement"
        super().__init__(f"found {found}; the decision is about {needed}")
        self.latest = latest


class NothingWouldChange(NotSettledAgain):
    """Every bet would be paid what it was paid already."""

    def __init__(self, latest: Settlement) -> None:
        super().__init__(f"found settlement {latest.sequence} ({latest.kind}), which says the same")


class SettledAgain(NamedTuple):
    """A further settlement of a round, in cents."""

    sequence: int
    payout_before_cents: int | None
    """What the round had paid, None where it was never settled."""
    payout_cents: int
    owed_cents: int
    """What customers now owe because their money was gone."""


def settle_again(
    *,
    round_id: UUID,
    after: int,
    action: str,
    decide_on: Callable[[RoundToJudge], Verdict],
    by: ByTwo,
    ruling: Ruling | None = None,
) -> SettledAgain:
    """Gives a round its next settlement, by a verdict with a grade for each bet.

    ``after`` is the sequence of the settlement that the persons decided about, 0 for a held round;
    ``action`` is what the trail calls it; ``ruling`` is what the verdict rests on beside the facts,
    kept with the settlement. Raises a NotSettledAgain, or whatever ``decide_on`` does.
    """
    return again_after_collision(
        lambda: _settle_again(round_id, after, action, decide_on, by, ruling),
    )


def _settle_again(
    round_id: UUID,
    after: int,
    action: str,
    decide_on: Callable[[RoundToJudge], Verdict],
    by: ByTwo,
    ruling: Ruling | None,
) -> SettledAgain:
    books = open_books(at=by.at)
    latest = _lock_round(round_id, after=after)
    [stored] = rounds_to_judge([round_id])
    booked_on = books.day_for(gaming_day(stored.dealt.opened_at))
    decision = decide(stored, decide_on(stored), sequence=after + 1, booked_on=booked_on)
    if latest is not None and _says_the_same(latest, decision):
        raise NothingWouldChange(latest)
    owed_cents = _move_money(decision, by=by)
    _count(decision, latest)
    said = None if ruling is None else ruling_column(ruling)
    if said is not None:
        StoredRuling.objects.create(round_id=round_id, sequence=decision.sequence, said=said)
    entry = _entry(action, decision, latest, owed_cents, by, said)
    record_entries([entry], at=by.at, actor=by.actor)
    insert_settlements(
        [decision],
        at=by.at,
        actor=by.actor,
        approved_by=by.approved_by.name,
        reason=by.reason,
    )
    before_cents = None if latest is None else latest.payout_cents
    return SettledAgain(decision.sequence, before_cents, decision.sums.payout_cents, owed_cents)


def _lock_round(round_id: UUID, *, after: int) -> Settlement | None:
    """The round's latest settlement, if it is the one decided about; no other can follow it now."""
    # A lock on its row would need the right to change rounds, which nobody has.
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_ROUND, [str(round_id)])
    Round.objects.only("id").get(id=round_id)
    if QueuedRound.objects.filter(round_id=round_id).exists() or not (
        Validation.objects.filter(round_id=round_id).exists()
    ):
        raise RoundNotJudged("found a round that waits for a worker; needed one settled or held")
    latest = Settlement.objects.filter(round_id=round_id).order_by("-sequence").first()
    if after != (NO_SETTLEMENT if latest is None else latest.sequence):
        raise SettledMeanwhile(latest, after=after)
    return latest


def _says_the_same(latest: Settlement, decision: Decision) -> bool:
    same_results = decision.is_void or bytes(latest.results_digest) == decision.results_digest
    return latest.kind == decision.kind and same_results


def _move_money(decision: Decision, *, by: ByTwo) -> int:
    """Writes what each bet is paid and every transfer; gives what customers owe now, in cents."""
    stored = decision.stored
    before = transfers_standing(stored.id, sequence=decision.sequence - 1)
    made = before if decision.sequence > 1 else []  # the stakes of a held round stay taken
    postings = FurtherPostings(at=by.at, stripe=own_stripe())
    postings.settle_again(made, decision)
    copy_results([(stored.id, decision.sequence, decision.results)])
    copy_transfers(postings.finished())
    owed_cents = postings.cover_shortfalls(lock_balances(postings.accounts()))
    copy_transfers(postings.finished())
    change_balances({account: cents for account, cents in postings.changes.items() if cents})
    return owed_cents


def _count(decision: Decision, latest: Settlement | None) -> None:
    """Daily totals: what the settlement before came to goes, what this one comes to is added.

    Both on the day on which this one is booked, so that a day that is closed keeps its totals.
    """
    totals = Totals()
    if latest is not None:
        before = Sums(decision.stored.dealt.bets, _grades_of(latest))
        is_void = latest.kind == Settlement.Kind.VOID
        totals.add(decision.total_key, before, is_void=is_void, sign=-1)
    totals.add(decision.total_key, decision.sums, is_void=decision.is_void)
    totals.write(stripe=own_stripe())


def _grades_of(settlement: Settlement) -> list[Grade]:
    rows = BetSettlement.objects.filter(
        round_id=settlement.round_id, sequence=settlement.sequence
    ).order_by("bet_number")
    return list(map(Grade._make, rows.values_list(*_GRADE)))


def _entry(
    action: str,
    decision: Decision,
    latest: Settlement | None,
    owed_cents: int,
    by: ByTwo,
    said: Mapping[str, Any] | None,
) -> Entry:
    """What the trail says: the settlement as any other, what it replaces and rests on, who, why."""
    settled = settled_entry(decision)
    details = {
        **settled.details,
        **({} if said is None else {"ruling": said}),
        "before": None if latest is None else _before(latest),
        "owed": format_cents(owed_cents),
        "reason": by.reason,
        "approved_by": by.approved_by.name,
        "approved_by_user_id": by.approved_by.user_id,
    }
    return Entry(action, settled.subject, details)


def _before(latest: Settlement) -> Mapping[str, Any]:
    return {
        "settlement": latest.sequence,
        "kind": latest.kind,
        "results_digest": bytes(latest.results_digest).hex(),
        "paid": format_cents(latest.payout_cents),
    }
