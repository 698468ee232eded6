"""Rounds of a suspended table are stored and wait until it is resumed."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from compliance.trail.models import AuditRecord
from compliance.trail.steps import StaleState
from payouts.settlement.models import Settlement
from payouts.stuck_work.kinds import WorkQuery
from payouts.stuck_work.queue import stuck_page
from payouts.stuck_work.retry_round import retry_round
from rounds.field_errors import InvalidField
from rounds.models import QueuedRound, Table, TableSuspension
from rounds.services.queue import RoundSuspended, claim_again, postpone_round
from rounds.services.suspend_table import StatedReason, resume_table, suspend_table
from rounds.suspended_tables import UNTIL_RESUMED, suspensions_of
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.signers import signing

pytestmark = pytest.mark.django_db

GIULIA = signing("Giulia Marchetti", 1)
REASON = StatedReason("camera", "telecamera guasta", "camera out of order")
OPENED = "2026-11-21T21:10:10Z"
AT_OPENING = NOW - timedelta(minutes=49, seconds=50)


def suspend(table: Table, *, at: datetime = AT_OPENING, seen: int = 0) -> TableSuspension:
    """Giulia suspends the table, by default when the rounds open."""
    output: dict[str, Any] = {"reason": REASON, "note": "dark", "actor": GIULIA}
    return suspend_table(table_id=table.pk, seen=seen, at=at, **output)


def resume(table: Table, *, seen: int = 1) -> int:
    """Giulia resumes it."""
    output: dict[str, Any] = {"note": "it sees again", "actor": GIULIA}
    return resume_table(table_id=table.pk, seen=seen, at=NOW, **output)[1]


def settled() -> list[str]:
    """The references of settled rounds."""
    return sorted(Settlement.objects.values_list("round__reference", flat=True))


def queries_of(reference: str) -> int:
    """The number of statements that store a round."""
    with CaptureQueriesContext(connection) as queries:
        ingest(lines(baccarat_round(reference)))
    return len(queries)


class TestASuspendedTable:
    def test_keeps_its_new_rounds_waiting_until_it_is_resumed(self) -> None:
        """The sweep settles them afterwards."""
        table = open_table()
        suspend(table)

        tally = ingest(lines(baccarat_round("r-1")))
        settle()

        assert (tally.rounds, settled()) == (1, [])
        assert QueuedRound.objects.get().due_at == UNTIL_RESUMED
        assert resume(table) == 1
        settle()
        assert settled() == ["r-1"]

    def test_settles_rounds_opened_before(self) -> None:
        """A round that opens at the moment of the suspension waits."""
        table = open_table()
        suspend(table)
        before = baccarat_round("r-1", opened_at="2026-11-21T21:10:09.999Z")

        ingest(lines(before, baccarat_round("r-2", opened_at=OPENED)))
        settle()

        assert settled() == ["r-1"]

    def test_holds_back_queued_rounds_opened_later(self) -> None:
        """Queued rounds that opened later; other tables go on."""
        table, other = open_table(), open_table("bac-2")
        early = baccarat_round("r-1", opened_at="2026-11-21T21:10:09Z")
        elsewhere = baccarat_round("r-3", table=other.code)
        ingest(lines(early, baccarat_round("r-2"), elsewhere))

        suspend(table)
        settle()

        assert settled() == ["r-1", "r-3"]
        record = AuditRecord.objects.get(action="TABLE_SUSPENDED")
        assert (record.subject, record.details["reason"]["code"]) == ("table:bac-1", "camera")

    def test_costs_a_batch_no_query(self) -> None:
        """The suspension is read for each batch, and its signature verified once."""
        table = open_table()
        ingest(lines(baccarat_round("r-0")))  # from now on its customers are known

        in_play = queries_of("r-1")
        suspend(table)
        assert suspensions_of([table.pk])
        suspended = queries_of("r-2")

        assert suspended == in_play

    def test_is_resumed_without_waking_other_tables(self) -> None:
        """Of two suspended tables."""
        first, other = open_table(), open_table("bac-2")
        suspend(first)
        suspend(other)
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2", table="bac-2")))

        resume(first)
        settle()

        assert settled() == ["r-1"]

    def test_may_be_suspended_again(self) -> None:
        """Four steps in turn."""
        table = open_table()

        suspend(table)
        resume(table)
        suspend(table, seen=2)
        ingest(lines(baccarat_round("r-1")))
        settle()
        assert settled() == []
        resume(table, seen=3)
        settle()

        assert settled() == ["r-1"]
        steps = TableSuspension.objects.order_by("sequence").values_list("action", flat=True)
        assert list(steps) == ["suspended", "resumed"] * 2


class TestARoundThatWaitsForItsTable:
    def test_is_no_stuck_work(self) -> None:
        """Neither new nor after failures; later stuck rounds are still listed."""
        table = open_table()
        open_table("bac-2")
        suspend(table)
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
        ingest(lines(baccarat_round("r-3", table="bac-2")))
        failed = QueuedRound.objects.get(round__reference="r-1")
        for _ in range(4):
            postpone_round(failed.pk, error="ZeroDivisionError", at=NOW)

        shown = stuck_page(WorkQuery(NOW + timedelta(hours=1)), size=1)

        assert [work.row.round.reference for work in shown.works] == ["r-3"]  # type: ignore[union-attr]

    def test_cannot_be_retried(self) -> None:
        """Neither by hand nor by a sweep that claimed it before."""
        suspend(open_table())
        ingest(lines(baccarat_round("r-1")))
        waiting = QueuedRound.objects.get()

        with pytest.raises(RoundSuspended):
            retry_round(round_id=waiting.pk, seen=0, at=NOW, actor=GIULIA)

        assert claim_again([waiting.pk]) == []
        waiting.refresh_from_db()
        assert waiting.due_at == UNTIL_RESUMED


class TestTwoSupervisors:
    def test_do_not_both_suspend(self) -> None:
        """The second is refused with the first one's name."""
        table = open_table()
        suspend(table)

        with pytest.raises(StaleState) as refusal:
            suspend(table)

        assert refusal.value.latest.actor == "Giulia Marchetti"
        assert TableSuspension.objects.count() == 1

    def test_do_not_resume_an_outdated_suspension(self) -> None:
        """The table was resumed and suspended again meanwhile."""
        table = open_table()
        suspend(table)
        resume(table)
        suspend(table, seen=2)

        with pytest.raises(StaleState):
            resume(table)

    def test_cannot_bypass_it_in_the_database(self) -> None:
        """A constraint refuses a second suspension in a row."""
        step = suspend(open_table())

        with pytest.raises(IntegrityError), transaction.atomic():
            TableSuspension.objects.create(
                table=step.table, sequence=2, action="suspended", reason_code="x", at=NOW, actor="x"
            )

    def test_say_why_a_table_is_resumed(self) -> None:
        """A reason is required."""
        table = open_table()
        suspend(table)

        with pytest.raises(InvalidField):
            resume_table(table_id=table.pk, note=" ", seen=1, at=NOW, actor=GIULIA)
