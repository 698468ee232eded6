"""The page of an item of the exceptions queue, and how it is resolved."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from compliance.trail.people import actor_of
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.failing_tasks import record_task_success
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck_work.steps import latest_step, steps_of
from payouts.stuck_work.work import WorkId
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.stuck_work.stuck_pages import act, me, read
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    quarantined,
)


class TestThePage:
    def test_of_a_round_shows_its_error_its_tries_and_that_it_cannot_be_closed(
        self, supervisor: Client
    ) -> None:
        """Error and number of attempts; rounds cannot be closed."""
        open_table()
        work = failing_round()

        page = read(supervisor, work)

        assert "KeyError: &#x27;baccarat/0&#x27;" in page
        assert re.findall(r"Attempts</dt><dd>(\d+)<", page) == ["3"]
        assert "No actions yet." in page
        assert "A round cannot be resolved manually" in page
        assert "/resolve/" not in page

    def test_of_a_conflict_links_both_documents(self, supervisor: Client) -> None:
        """A conflict cannot be retried."""
        open_table()
        work = conflict()

        page = read(supervisor, work)

        assert f"/admin/rounds/conflictingdocument/{work.key}/change/" in page
        assert "/resolve/" in page
        assert "/retry/" not in page

    def test_of_a_document_says_whether_its_round_is_stored(self, supervisor: Client) -> None:
        """The table was registered later, and the round delivered again."""
        work = quarantined(baccarat_round("r-1"))
        before = read(supervisor, work)
        open_table()
        ingest(lines(baccarat_round("r-1")))

        after = read(supervisor, work)

        assert "a registered table" in before
        assert "A round with this ID is stored" not in before
        assert "A round with this ID is stored" in after

    def test_of_a_task_with_arguments_offers_no_retry(self, supervisor: Client) -> None:
        """The page gives the reason."""
        work = failing_task()
        FailingTask.objects.update(takes_arguments=True)

        page = read(supervisor, work)

        assert "/retry/" not in page
        assert "called with arguments" in page

    def test_of_a_task_that_has_recovered_says_so(self, supervisor: Client) -> None:
        """No action is offered."""
        work = failing_task()
        record_task_success(task="payouts.settle_rounds", at=NOW + timedelta(minutes=9))

        page = read(supervisor, work)

        assert "Recovered" in page
        assert "/assign/" not in page

    def test_of_a_round_that_waits_no_more_says_so_and_keeps_its_history(
        self, supervisor: Client
    ) -> None:
        """The sweep settled it meanwhile."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        work = WorkId(WorkKind.ROUND, QueuedRound.objects.get().pk)
        note = "who is on call?"
        assign_stuck_work(work=work, owner=me(), note=note, seen=0, at=NOW, actor=actor_of(me()))
        settle()

        page = read(supervisor, work)

        assert "The round is no longer in the queue" in page
        assert note in page
        assert "/assign/" not in page

    @pytest.mark.parametrize(
        "address",
        [
            "round/01a1fff1-f750-7f2a-9e13-71ecf8645298/",
            "round/7/",
            "task/7/",
            "document/x/",
            "nothing/7/",
        ],
    )
    def test_of_an_unknown_item_is_not_found(self, supervisor: Client, address: str) -> None:
        """404."""
        assert supervisor.get(f"/admin/stuck/{address}").status_code == 404
        assert supervisor.post(f"/admin/stuck/{address}assign/").status_code in {302, 404}
        assert not StuckWorkStep.objects.exists()


class TestAnEnd:
    def test_needs_a_reason(self, supervisor: Client) -> None:
        """In the browser and on the server."""
        work = quarantined()

        page = act(supervisor, work, "resolve", note="  ")

        assert re.search(r'<textarea name="note"[^>]* required>', page)
        assert "Nothing was changed" in page
        assert latest_step(work) is None

    def test_is_shown_on_every_page_of_the_document(self, supervisor: Client) -> None:
        """On the item, the list and the round; the conflict no longer warns."""
        open_table()
        work = conflict()
        settle()

        page = act(supervisor, work, "resolve", note="sent twice by the studio")

        listed = supervisor.get("/admin/rounds/conflictingdocument/").content.decode()
        own = supervisor.get(f"/admin/rounds/conflictingdocument/{work.key}/change/")
        round_page = supervisor.get(page_of("r-c")).content.decode()
        assert "Resolved" in page
        assert "Reopen and assign to me" in page
        assert "Resolved" in listed
        assert "Resolved by and resolution" in own.content.decode()
        assert "supervisor resolved it on" in round_page
        assert "sent twice by the studio" in round_page
        assert "icon-cross" not in re.findall(r"<header.*?</header>", round_page, re.DOTALL)[-1]
        assert ConflictingDocument.objects.count() == 1

    def test_can_be_reopened(self, supervisor: Client) -> None:
        """By a further step."""
        work = quarantined()
        act(supervisor, work, "resolve", note="wrong one")

        page = act(supervisor, work, "assign", owner=me().pk, seen=1)

        assert "Mark as resolved" in page
        assert [step.action for step in steps_of(work)] == ["resolved", "assigned"]
        assert "Line 1 of feed.ndjson" in supervisor.get("/admin/stuck/").content.decode()
        assert QuarantinedDocument.objects.count() == 1
