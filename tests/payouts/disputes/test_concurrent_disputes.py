"""Concurrent actions on one dispute: one succeeds, the others are refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections

from compliance.trail.steps import StepError
from payouts.cases.models import Case
from payouts.disputes.close_dispute import advance_remedied_disputes
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.open_dispute import DuplicateDispute
from payouts.disputes.remind_disputes import remind_disputes
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import approve, execute
from tests.payouts.disputes.dispute_scenarios import (
    PAOLO,
    disputed,
    own_case,
    play,
    reject,
    take,
    whole,
)
from tests.signers import signing

_HANDS = 8


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """The results of calls that run at the same moment."""
    start = Barrier(_HANDS)

    def run(hand: int) -> Any:
        try:
            start.wait(timeout=30)
            return work(hand)
        except StepError as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=_HANDS) as threads:
        return list(threads.map(run, range(_HANDS)))


def test_one_of_several_decisions_is_taken(fresh_casino: str) -> None:
    """Of concurrent decisions one is stored, with at most one case."""
    play()
    dispute = disputed()
    take(dispute)

    def decide(hand: int) -> DisputeStep:
        actor = signing(f"Decider {hand}", 100 + hand)
        verb = whole if hand % 2 else reject
        return verb(dispute, seen=2, actor=actor)

    results = at_once(decide)

    decided = [result for result in results if isinstance(result, DisputeStep)]
    assert len(decided) == 1
    assert len([result for result in results if isinstance(result, StepError)]) == _HANDS - 1
    assert DisputeStep.objects.filter(dispute=dispute).count() == 3
    assert Case.objects.count() == (decided[0].action == "upheld")


def test_one_dispute_about_the_same_is_opened(fresh_casino: str) -> None:
    """The others are refused with its name."""
    play()

    results = at_once(lambda _hand: disputed())

    [opened] = [result for result in results if isinstance(result, Dispute)]
    assert {result.dispute for result in results if isinstance(result, DuplicateDispute)} == {
        opened
    }
    assert Dispute.objects.count() == 1


def test_reminders_and_remedies_are_followed_once(fresh_casino: str) -> None:
    """One reminder per step, and one closing, with several beats."""
    play()
    dispute = disputed()
    late = dispute.steps.get(sequence=1).due_at or NOW
    assert sum(at_once(lambda _hand: remind_disputes(at=late, actor=PAOLO))) == 1
    take(dispute)
    whole(dispute)
    approve(own_case(dispute))
    execute(own_case(dispute), at=NOW)

    assert sum(at_once(lambda _hand: advance_remedied_disputes(at=NOW))) == 1
