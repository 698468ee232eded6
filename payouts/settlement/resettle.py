"""Settling a round again: reverse the transfers of its settlement, then post the new ones.

A void and a resettlement are settlements with the next sequence. Rows are never edited. The round
is locked, the decision names the settlement that it replaces, and a unique key allows one reversal
per transfer (``transfer_reversed_once``).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.record import Entry, record_entries
from payouts.ledger.balance_shards import process_stripe
from payouts.ledger.post_transfers import change_balances, copy_transfers, lock_balances
from payouts.settlement.bet_results import copy_results, paid_grades
from payouts.settlement.daily_totals import Sums, Totals
from payouts.settlement.decision import Decision, decide, insert_settlements, settled_entry
from payouts.settlement.four_eyes import FourEyesDecision
from payouts.settlement.models import Settlement
from payouts.settlement.reversal_postings import ResettlementPostings, transfers_to_reverse
from rounds.booking_day import open_books
from rounds.gaming_day import gaming_day
from rounds.models import QueuedRound, Round, StoredRuling, Validation
from rounds.row_mapping import ruling_column
from rounds.rule_inputs import RoundToJudge, rounds_to_judge
from rounds.rules.money import format_cents
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Verdict
from rounds.services.require_signed_rules import require_signed_rules

_LOCK_ROUND: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
NO_SETTLEMENT: Final = 0
"""The sequence before the first settlement, that of a held round."""


class RoundNotResettleable(Exception):
    """The round cannot be settled again. Nothing was written."""


class RoundNotValidated(RoundNotResettleable):
    """The round awaits its first settlement by a worker."""


class StaleSettlement(RoundNotResettleable):
    """The latest settlement is not the one that was decided about."""

    def __init__(self, latest: Settlement | None, *, after: int) -> None:
        found = "no settlement"
        if latest is not None:
            found = f"settlement {latest.sequence} ({latest.kind}) by {latest.actor}"
            found += f" at {latest.settled_at.isoformat()}"
        needed = f"settlement {after}" if after else "no settlement"
        super().__init__(f"found {found}; the decision is about {needed}")
        self.latest = latest


class SettlementUnchanged(RoundNotResettleable):
    """Every bet would be paid the same."""

    def __init__(self, latest: Settlement) -> None:
        super().__init__(f"found settlement {latest.sequence} ({latest.kind}), which says the same")


class Resettlement(NamedTuple):
    """The result of settling a round again, in cents."""

    sequence: int
    payout_before_cents: int | None
    """The earlier payout; None if the round was held."""
    payout_cents: int
    owed_cents: int
    """What customers owe because their balances were too low."""


def resettle(
    *,
    round_id: UUID,
    after: int,
    action: str,
    judge: Callable[[RoundToJudge], Verdict],
    by: FourEyesDecision,
    ruling: Ruling | None = None,
) -> Resettlement:
    """Gives a round its next settlement, by a verdict with a grade for each bet.

    ``after`` is the sequence of the settlement that is replaced, 0 for a held round; ``action`` is
    the audit action; ``ruling`` is stored with the settlement. Raises RoundNotResettleable,
    UnsignedRulesError or what ``judge`` raises.
    """
    return retry_on_conflict(
        lambda: _settle_again(round_id, after, action, judge, by, ruling),
    )


def _settle_again(
    round_id: UUID,
    after: int,
    action: str,
    judge: Callable[[RoundToJudge], Verdict],
    by: FourEyesDecision,
    ruling: Ruling | None,
) -> Resettlement:
    books = open_books(at=by.at)
    latest = _lock_round(round_id, after=after)
    [stored] = rounds_to_judge([round_id])
    require_signed_rules([stored])
    booked_on = books.day_for(gaming_day(stored.dealt.opened_at))
    decision = decide(stored, judge(stored), sequence=after + 1, booked_on=booked_on)
    if latest is not None and _is_unchanged(latest, decision):
        raise SettlementUnchanged(latest)
    owed_cents = _move_money(decision, by=by)
    _update_daily_totals(decision, latest)
    column = None if ruling is None else ruling_column(ruling)
    if column is not None:
        StoredRuling.objects.create(round_id=round_id, sequence=decision.sequence, said=column)
    entry = _entry(action, decision, latest, owed_cents, by, column)
    record_entries([entry], at=by.at, actor=by.actor)
    insert_settlements(
        [decision],
        at=by.at,
        actor=by.actor,
        approved_by=by.approved_by.name,
        reason=by.reason,
    )
    before_cents = None if latest is None else latest.payout_cents
    return Resettlement(decision.sequence, before_cents, decision.sums.payout_cents, owed_cents)


def _lock_round(round_id: UUID, *, after: int) -> Settlement | None:
    """Locks the round. Returns its latest settlement, which must be the one decided about."""
    # A lock on its row would require the right to update rounds, which no role has.
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_ROUND, [str(round_id)])
    Round.objects.only("id").get(id=round_id)
    if QueuedRound.objects.filter(round_id=round_id).exists() or not (
        Validation.objects.filter(round_id=round_id).exists()
    ):
        raise RoundNotValidated("found a round that waits for a worker; needed one settled or held")
    latest = Settlement.objects.filter(round_id=round_id).order_by("-sequence").first()
    if after != (NO_SETTLEMENT if latest is None else latest.sequence):
        raise StaleSettlement(latest, after=after)
    return latest


def _is_unchanged(latest: Settlement, decision: Decision) -> bool:
    same_results = decision.is_void or bytes(latest.results_digest) == decision.results_digest
    return latest.kind == decision.kind and same_results


def _move_money(decision: Decision, *, by: FourEyesDecision) -> int:
    """Writes bet results and transfers. Returns what customers owe, in cents."""
    stored = decision.stored
    transfers = transfers_to_reverse(stored.id, sequence=decision.sequence - 1)
    reversed_ = transfers if decision.sequence > 1 else []  # the stakes of a held round stay taken
    postings = ResettlementPostings(at=by.at, stripe=process_stripe())
    postings.resettle(reversed_, decision)
    copy_results([(stored.id, decision.sequence, decision.results)])
    copy_transfers(postings.take_blocks())
    owed_cents = postings.cover_shortfalls(lock_balances(postings.accounts()))
    copy_transfers(postings.take_blocks())
    change_balances(postings.changes)
    return owed_cents


def _update_daily_totals(decision: Decision, latest: Settlement | None) -> None:
    """Subtracts the replaced settlement from the daily totals and adds the new one.

    Both are booked on the new settlement's day, so that closed days keep their totals.
    """
    totals = Totals()
    if latest is not None:
        before = Sums(decision.stored.dealt.bets, paid_grades(latest.round_id, latest.sequence))
        is_void = latest.kind == Settlement.Kind.VOID
        totals.add(decision.total_key, before, is_void=is_void, sign=-1)
    totals.add(decision.total_key, decision.sums, is_void=decision.is_void)
    totals.write(stripe=process_stripe())


def _entry(
    action: str,
    decision: Decision,
    latest: Settlement | None,
    owed_cents: int,
    by: FourEyesDecision,
    ruling: Mapping[str, Any] | None,
) -> Entry:
    """The audit record: the settlement, what it replaces, its ruling, persons and reason."""
    settled = settled_entry(decision)
    details = {
        **settled.details,
        **({} if ruling is None else {"ruling": ruling}),
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
