"""Actions on several items of the exceptions queue at once."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.models import AuditRecord
from compliance.trail.people import actor_of
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.models import StuckWorkStep
from payouts.stuck_work.steps import latest_step
from payouts.stuck_work.work import WorkId
from rounds.models import Round
from tests.casino.backoffice.conftest import person
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    quarantined,
)

TOGETHER = "/admin/stuck/together/"


def marks(client: Client) -> list[str]:
    """The values of the list's checkboxes."""
    page = client.get("/admin/stuck/").content.decode()
    return re.findall(r'name="work" value="([^"]+)"', page)


def act(client: Client, action: str, works: list[str], **fields: str) -> str:
    """Sends the list's form; returns the next page."""
    posted = {"action": action, "work": works, **fields}
    return client.post(TOGETHER, posted, follow=True).content.decode()


class TestTheMarkedOnes:
    def test_are_assigned_together(self, supervisor: Client) -> None:
        """Three kinds, three steps, three records."""
        open_table()
        works = [failing_round(), conflict(), failing_task()]
        settle()

        page = act(supervisor, "take", marks(supervisor))

        steps = [latest_step(work) for work in works]
        owners = {step.owner.username for step in steps if step is not None and step.owner}
        assert owners == {"supervisor"}
        assert "3 items processed." in page
        assert AuditRecord.objects.filter(action="WORK_ASSIGNED").count() == 3

    def test_are_ingested_once_their_table_is_registered(self, supervisor: Client) -> None:
        """One line is still invalid."""
        ingest(lines(*(baccarat_round(f"r-{number}") for number in range(5)), "{broken"))
        open_table()

        page = act(supervisor, "retry", marks(supervisor))

        assert Round.objects.count() == 5
        assert "5 items processed." in page
        assert "1 not processed: The document was rejected again" in page
        assert len(marks(supervisor)) == 1

    def test_are_closed_with_one_reason(self, supervisor: Client) -> None:
        """A round among them stays open, with a message."""
        open_table()
        works = [quarantined("{"), quarantined("["), failing_round()]

        page = act(supervisor, "resolve", marks(supervisor), note="a test of the studio")

        notes = [step.note for step in StuckWorkStep.objects.all()]
        assert notes == ["a test of the studio"] * 2
        assert "2 items processed." in page
        assert "1 not processed: A round stays in the queue until it is settled or held." in page
        assert latest_step(works[2]) is None

    def test_are_not_closed_without_a_reason(self, supervisor: Client) -> None:
        """The form requires it."""
        quarantined("{")

        page = act(supervisor, "resolve", marks(supervisor))

        assert "1 not processed: Describe what was done" in page
        assert not StuckWorkStep.objects.exists()

    def test_are_skipped_if_another_person_took_them(self, supervisor: Client) -> None:
        """The others are processed."""
        works, other = [quarantined("{"), quarantined("[")], person("compliance")
        seen = marks(supervisor)
        assign_stuck_work(work=works[0], owner=other, seen=0, at=NOW, actor=actor_of(other))

        page = act(supervisor, "take", seen)

        steps = [latest_step(work) for work in works]
        assert [step.actor for step in steps if step is not None] == ["compliance", "supervisor"]
        assert "1 not processed: compliance already updated this item" in page

    def test_may_be_settled_meanwhile(self, supervisor: Client) -> None:
        """The page says so."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        mark = f"round:{Round.objects.get().pk}:0"

        assert "is no longer in the queue" in act(supervisor, "retry", [mark])

    @pytest.mark.parametrize("mark", ["", "x", "round:x:0", "task:7:0", "task:7", "nothing:1:0"])
    def test_may_be_invalid(self, supervisor: Client, mark: str) -> None:
        """Invalid marks are ignored."""
        page = act(supervisor, "take", [mark])

        assert "None of the selected items is still open." in page

    @pytest.mark.parametrize("action", ["", "delete"])
    def test_can_only_be_taken_tried_or_closed(self, supervisor: Client, action: str) -> None:
        """Other actions change nothing."""
        quarantined("{")

        act(supervisor, action, marks(supervisor))

        assert not StuckWorkStep.objects.exists()

    def test_lead_back_to_the_filtered_list(self, supervisor: Client) -> None:
        """And never to another site."""
        quarantined("{")
        form = {"action": "take", "work": marks(supervisor), "kind": "document", "whose": "//x"}

        answer = supervisor.post(TOGETHER, form)

        assert answer.headers["Location"] == "/admin/stuck/?kind=document&"


@pytest.mark.django_db
class TestAnAuditor:
    def test_has_no_boxes_and_is_refused(self, client: Client) -> None:
        """An auditor gets 403."""
        work: WorkId = failing_task()
        client.force_login(person("auditor"))

        answer = client.post(TOGETHER, {"action": "take", "work": [f"task:{work.key}:0"]})

        assert answer.status_code == 403
        assert marks(client) == []
        assert "bulk-actions" not in client.get("/admin/stuck/").content.decode()
        assert User.objects.count() == 1
        assert latest_step(work) is None
