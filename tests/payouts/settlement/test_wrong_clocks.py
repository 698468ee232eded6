"""Hosts whose clocks differ: what one host has stored is worked on by another at once."""

from datetime import timedelta

import pytest

from payouts.cases.models import CaseRun
from payouts.cases.remedies import Remedy
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose

pytestmark = pytest.mark.django_db

AHEAD = NOW + timedelta(minutes=10)
"""What a host says whose clock is ten minutes ahead of the workers'."""


class TestARoundThatAHostWithAClockAheadHasAccepted:
    def test_is_settled_at_once(self) -> None:
        """Not when the clocks of the workers reach the time of its arrival."""
        open_table()
        feed = lines(baccarat_round("r-1"))
        ingest(feed, at=AHEAD)

        settled = settle(at=NOW)

        assert settled.settled == 1
        assert Settlement.objects.get().round.reference == "r-1"
        assert_books_are_right(feed)

    def test_waits_for_its_pause_after_a_failure(self) -> None:
        """A round that was tried has its due time from a worker."""
        open_table()
        ingest(lines(baccarat_round("r-1")), at=AHEAD)
        QueuedRound.objects.update(attempts=1)

        assert settle(at=NOW).settled == 0


def test_a_case_that_was_approved_there_is_executed_at_once() -> None:
    """The round is voided, and the case ends."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    case = opened("malfunction", "r-1")
    propose(case, Remedy.VOID)

    approve(case, at=AHEAD)

    assert execute(case, at=NOW) == [("done", 2)]
    assert CaseRun.objects.get().finished_at == NOW
