"""Held rounds have an owner and notes, and several are assigned at once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.models import AuditRecord
from payouts.stuck_work.models import StuckWorkStep
from rounds.models import Round
from tests.casino.backoffice.conftest import page_of, person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at, shown
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import held_baccarat_round, lines

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 10, 11, 0, tzinfo=UTC)
TOGETHER = "/admin/held-rounds/assign/"


@pytest.fixture
def held(supervisor: Client) -> list[Round]:
    """Two held rounds of 10.00 each, in order."""
    open_table()
    cards = held_baccarat_round("r-held")["cards"]
    ingest(lines(*(round_at(NOON + timedelta(hours=hour), cards=cards) for hour in (0, 1))))
    settle()
    return list(Round.objects.order_by("pk"))


@pytest.fixture
def lorenzo(held: list[Round]) -> User:
    """Somebody else who handles held rounds."""
    return person("compliance")


def assign(browser: Client, round_id: object, **form: object) -> None:
    """Sends the form of the round's page."""
    browser.post(f"/admin/stuck/round/{round_id}/assign/", {"seen": 0, **form})


class TestAHeldRound:
    def test_is_assigned_with_a_note_on_its_page(
        self, supervisor: Client, held: list[Round], lorenzo: User
    ) -> None:
        """The list shows both, and the audit trail who did it."""
        assign(supervisor, held[0].pk, owner=lorenzo.pk, note="asked the studio")

        page = page_html(supervisor.get(page_of(held[0].reference)))
        listed = page_html(supervisor.get(LIST, {"status": "held"}))
        record = AuditRecord.objects.get(action="WORK_ASSIGNED")
        assert "asked the studio" in page
        assert "asked the studio" in listed
        assert (record.subject, record.details["to"]) == (f"round:{held[0]}", "compliance")

    def test_gets_a_further_note_without_a_new_owner(
        self, supervisor: Client, held: list[Round], lorenzo: User
    ) -> None:
        """Steps are only added."""
        assign(supervisor, held[0].pk, owner=lorenzo.pk, note="asked the studio")
        assign(supervisor, held[0].pk, owner=lorenzo.pk, note="no answer yet", seen=1)
        assign(supervisor, held[0].pk, owner=lorenzo.pk, note="", seen=2)

        notes = StuckWorkStep.objects.order_by("sequence").values_list("note", flat=True)
        assert list(notes) == ["asked the studio", "no answer yet"]

    def test_is_listed_by_its_owner(
        self, supervisor: Client, held: list[Round], lorenzo: User
    ) -> None:
        """Mine, nobody's, or those of a person."""
        assign(supervisor, held[0].pk, owner=lorenzo.pk)

        def listed(whose: object) -> list[str]:
            return shown(supervisor.get(LIST, {"status": "held", "whose": str(whose)}))

        assert listed("mine") == []
        assert listed("nobody") == [held[1].reference]
        assert listed(lorenzo.pk) == [held[0].reference]
        assert listed("0") == []

    def test_cannot_be_retried(self, supervisor: Client, held: list[Round]) -> None:
        """It waits for persons; no worker could settle it."""
        supervisor.post(f"/admin/stuck/round/{held[0].pk}/retry/", {"seen": 0})

        assert not StuckWorkStep.objects.exists()


class TestSettledRounds:
    def test_are_not_assigned(self, supervisor: Client, lorenzo: User) -> None:
        """There is nothing to decide."""
        ingest(lines(round_at(NOON + timedelta(hours=5))))
        settle()
        settled = Round.objects.order_by("-pk")[0]

        assign(supervisor, settled.pk, owner=lorenzo.pk)

        assert not StuckWorkStep.objects.exists()
        assert "Note (optional)" not in page_html(supervisor.get(page_of(settled.reference)))


class TestSeveralHeldRounds:
    def test_are_assigned_after_their_effect_was_shown(
        self, supervisor: Client, held: list[Round], lorenzo: User
    ) -> None:
        """Two rounds of 10.00; the first request changes nothing."""
        form = {"work": [f"round:{row.pk}:0" for row in held], "owner": lorenzo.pk, "note": "ours"}

        effect = page_html(supervisor.post(TOGETHER, form))
        assert "2 held rounds change their owner" in effect
        assert "20.00" in effect
        assert not StuckWorkStep.objects.exists()

        supervisor.post(TOGETHER, {**form, "confirmed": "1"})
        steps = StuckWorkStep.objects.values_list("round_id", "owner_id", "note")
        assert set(steps) == {(row.pk, lorenzo.pk, "ours") for row in held}

    def test_are_left_out_if_somebody_else_was_faster(
        self, supervisor: Client, held: list[Round], lorenzo: User
    ) -> None:
        """The user did not see that assignment."""
        assign(supervisor, held[0].pk, owner=lorenzo.pk)
        form = {"work": [f"round:{row.pk}:0" for row in held], "owner": "", "confirmed": "1"}

        answer = page_html(supervisor.post(TOGETHER, form, follow=True))

        assert "1 not processed" in answer
        assert StuckWorkStep.objects.get().owner == lorenzo
