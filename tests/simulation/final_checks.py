"""What must hold at the end of a simulated day, when everything was handed over and settled."""

from collections.abc import Iterable, Sequence
from typing import Final

from payouts.cases.models import CaseHalt, CaseRun, CaseStep, GoodwillCredit
from payouts.cases.remedies import Remedy
from payouts.integrity.models import IntegrityStop
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, Round
from rounds.replay import REJECTED, replay_lines
from tests.books import NEVER_FOUND, SUM_OF_ALL_BALANCES, payments_unlike_replay, rows_of
from tests.compliance.trail.logs import faults
from tests.payouts.reconciliation.five_games import differences

_HELD: Final = """
    SELECT round.reference FROM rounds_round AS round
      JOIN rounds_validation AS first ON first.round_id = round.id AND first.sequence = 1
     WHERE first.status = 'held' AND first.anomalies <> '{stake-limits}'
"""


def assert_day_is_right(feed: Sequence[bytes]) -> None:
    """Every round once and paid as by replay, right books, a whole log, no decision alone."""
    _assert_rounds_are_those_of_replay(feed)
    for query in NEVER_FOUND:
        assert rows_of(query) == [], query
    assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]
    _assert_decisions_are_of_two_persons()
    assert list(CaseHalt.objects.values_list("error", flat=True)) == []
    assert list(IntegrityStop.objects.values_list("findings", flat=True)) == []
    assert differences() == []
    assert faults() == []


def _assert_decisions_are_of_two_persons() -> None:
    """Each approved case was executed, by another person than who opened or proposed it."""
    authors = (CaseStep.Action.OPENED, CaseStep.Action.PROPOSED)
    for run in CaseRun.objects.all():
        assert run.finished_at is not None, run
        steps = CaseStep.objects.filter(case_id=run.pk)
        approval = steps.get(action=CaseStep.Action.APPROVED)
        own = steps.filter(action__in=authors, actor_user_id=approval.actor_user_id)
        assert not own.exists(), approval
        is_credit = approval.remedy == Remedy.CREDIT
        assert GoodwillCredit.objects.filter(case_id=run.pk).count() == is_credit
    alone = Settlement.objects.filter(sequence__gt=1, approved_by=None)
    assert not alone.exists()


def _assert_rounds_are_those_of_replay(feed: Iterable[bytes]) -> None:
    results = [result for result in replay_lines(feed) if result["status"] != REJECTED]
    stored = list(Round.objects.order_by("id").values_list("reference", flat=True))
    assert sorted(stored) == sorted(result["round"] for result in results)
    assert not QueuedRound.objects.exists()
    held = {result["round"] for result in results if result["status"] == "held"}
    assert {reference for (reference,) in rows_of(_HELD)} == held
    assert payments_unlike_replay(feed) == []
