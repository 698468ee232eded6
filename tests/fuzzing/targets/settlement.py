"""Rounds of the feed, settled in memory: totals are whole cents, and postings conserve money."""

from datetime import UTC, date, datetime
from itertools import count
from uuid import UUID

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from payouts.ledger.models import Account
from payouts.ledger.models.account import shared_account_id
from payouts.settlement.decision import Decision, decide, settled_entry
from payouts.settlement.postings import Postings
from rounds.replay import Judged
from rounds.rule_inputs import RoundToJudge
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.verdict import HELD, VOID, void_verdict
from tests.fuzzing.target import Target
from tests.fuzzing.targets import rules

_ID = UUID(int=7)
_AT = datetime(2026, 11, 21, tzinfo=UTC)


def check(data: bytes) -> None:
    """Every round that its rules grade is settled, and voided, twice and to the same postings."""
    for judged in rules.judged_lines(data):
        if judged.verdict.status != HELD:
            _check_settlement(judged)
            _check_settlement(judged._replace(verdict=void_verdict(judged.dealt, "malfunction")))


def _check_settlement(judged: Judged) -> None:
    decision, again = _decided(judged), _decided(judged)
    assert decision.results == again.results
    assert decision.results_digest == again.results_digest
    assert settled_entry(decision) == settled_entry(again)
    dealt, verdict = judged
    sums = decision.sums
    assert sums.staked_cents == sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets)
    assert sums.payout_cents == sum(grade.payout_cents for grade in verdict.grades)
    assert sums.payout_chips_cents == sum(grade.chips_cents for grade in verdict.grades)
    assert sums.has_voids == any(grade.outcome == VOID for grade in verdict.grades)
    settled, settled_again = _settled(decision), _settled(again)
    assert settled.blocks == settled_again.blocks
    assert sum(settled.changes.values()) == 0
    for asset in Account.Asset:  # nothing stays where stakes wait
        held = shared_account_id(Account.Kind.STAKES_HELD.value, asset.value, 0)
        assert settled.changes[held] == 0
    assert all(type(change) is int for change in settled.changes.values())
    moved = [int(line.split("\t")[7]) for line in "".join(settled.blocks).splitlines()]
    assert all(cents > 0 for cents in moved)


def _decided(judged: Judged) -> Decision:
    dealt = judged.dealt
    numbers = count(1)
    ids: dict[str, int] = {}
    customers = [
        ids.get(bet.player) or ids.setdefault(bet.player, next(numbers)) for bet in dealt.bets
    ]
    digest = RULE_SETS[dealt.rules].digest
    stored = RoundToJudge(_ID, 1, dealt, customers, digest, None, {}, ())
    return decide(stored, judged.verdict, sequence=1, booked_on=date(2026, 11, 21))


def _settled(decision: Decision) -> Postings:
    """The stakes of the round taken, and its settlement posted."""
    postings = Postings(at=_AT, stripe=0)
    postings.take_stakes(_ID, decision.sums.staked)
    postings.settle(decision)
    return postings


TARGET = Target(check, rules.seeds, rules.TARGET.mutate, longest=8192)
