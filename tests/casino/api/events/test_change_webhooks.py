"""Webhooks are changed, and their dead letters resent together (issue 21)."""

from datetime import timedelta
from typing import Any

import pytest

from casino.integrations.models import DeadLetter, Webhook, WebhookOrder
from compliance.trail.models import AuditRecord
from tests.casino.api.api_client import Program, issued, json_of, slug_of
from tests.casino.api.events.deliveries import rounds_of
from tests.casino.api.events.event_scenarios import WEBHOOKS, added, deliver, settled_rounds
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import NOW, open_table

pytestmark = pytest.mark.django_db

_PUBLIC = "https://studio.example/hook"
_OTHER = "https://studio.example/other"


@pytest.fixture
def program() -> Program:
    """A program with every scope."""
    return Program(issued().token)


def dead_letters(webhook: Webhook, most: int) -> None:
    """So many dead letters of one event, one a day from ``NOW``."""
    event = AuditRecord.objects.get(action="ROUND_SETTLED").pk
    for number in range(1, most + 1):
        DeadLetter.objects.create(
            webhook=webhook,
            number=number,
            event_id=event,
            leaf=0,
            type="round.settled",
            attempts=8,
            error="answered 503",
            first_tried_at=NOW,
            died_at=NOW + timedelta(days=number - 1),
        )


def ordered() -> list[int]:
    """The numbers of the letters that are ordered, in their order."""
    return list(WebhookOrder.objects.order_by("pk").values_list("dead_letter__number", flat=True))


class TestAChangedWebhook:
    def test_has_what_was_changed_and_what_was_not(self, program: Program) -> None:
        """Each PATCH changes what it names; every change is on record."""
        webhook = json_of(added(program, url=_PUBLIC, types=["round.voided"], description="voids"))
        address = webhook["links"]["self"]

        first = program.call("PATCH", address, {"url": _OTHER, "description": ""})
        second = program.call("PATCH", address, {"types": ["round.settled"]})

        del webhook["secret"]
        assert json_of(first) == {**webhook, "url": _OTHER, "description": ""}
        assert json_of(second) == {**json_of(first), "types": ["round.settled"]}
        assert json_of(program.get(address)) == json_of(second)
        assert Webhook.objects.get().url == _PUBLIC
        records = AuditRecord.objects.filter(action="WEBHOOK_CHANGED").order_by("id")
        assert [record.details["url"] for record in records] == [_OTHER, _OTHER]

    @pytest.mark.slow
    def test_sends_to_its_new_address(self, program: Program) -> None:
        """From the next event on, behind the same position."""
        open_table()
        settled_rounds("r-1")
        with receiving() as before, receiving() as after:
            webhook = json_of(added(program, url=before.url, cursor="0"))
            stored = Webhook.objects.get()
            deliver(stored)
            program.call("PATCH", webhook["links"]["self"], {"url": after.url})
            settled_rounds("r-2")
            deliver(stored)
            program.call("PATCH", webhook["links"]["self"], {"types": ["round.voided"]})
            settled_rounds("r-3")
            deliver(stored)

        assert (rounds_of(before), rounds_of(after)) == (["r-1"], ["r-2"])

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"url": "http://studio.example/"}, "/url"),
            ({"url": None}, "/url"),
            ({"types": ["round.lost"]}, "/types/0"),
            ({"cursor": "0"}, "/cursor"),
        ],
    )
    def test_is_refused_with_the_field_that_is_wrong(
        self, program: Program, changes: dict[str, Any], field: str
    ) -> None:
        """422; nothing is changed."""
        webhook = json_of(added(program, url=_PUBLIC))

        answer = program.call("PATCH", webhook["links"]["self"], changes)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert [error["field"] for error in json_of(answer)["errors"]] == [field]
        assert not AuditRecord.objects.filter(action="WEBHOOK_CHANGED").exists()


class TestDeadLetters:
    def test_are_resent_together(self, program: Program) -> None:
        """All that no resend has delivered or is about to; the answer says how many."""
        open_table()
        settled_rounds("r-1")
        webhook = json_of(added(program, url=_PUBLIC))
        letters = f"{webhook['links']['dead_letters']}"
        dead_letters(Webhook.objects.get(), 4)
        program.post(f"{letters}/1/resend", {})
        WebhookOrder.objects.update(tried_at=NOW, status=200)
        program.post(f"{letters}/2/resend", {})
        WebhookOrder.objects.filter(tried_at=None).update(tried_at=NOW, error="answered 503")
        program.post(f"{letters}/3/resend", {})

        answer = program.post(f"{letters}/resend", {})
        again = program.post(f"{letters}/resend", {})

        assert (answer.status_code, json_of(answer), json_of(again)) == (
            202,
            {"resent": 2},
            {"resent": 0},
        )
        assert ordered() == [1, 2, 3, 2, 4]

    def test_of_a_time_are_resent_alone(self, program: Program) -> None:
        """``given_up_since`` is that time or later, ``given_up_before`` before it."""
        open_table()
        settled_rounds("r-1")
        webhook = json_of(added(program, url=_PUBLIC))
        dead_letters(Webhook.objects.get(), 4)
        day = timedelta(days=1)
        between = {
            "given_up_since": (NOW + day).isoformat(),
            "given_up_before": (NOW + 3 * day).isoformat(),
        }

        answer = program.post(f"{webhook['links']['dead_letters']}/resend", between)

        assert json_of(answer) == {"resent": 2}
        assert ordered() == [2, 3]

    @pytest.mark.parametrize("moment", ["2026-11-21", "2026-11-21T21:10:10", 5, None, "soon"])
    def test_need_a_time_with_a_zone(self, program: Program, moment: Any) -> None:
        """422 names the field."""
        webhook = json_of(added(program, url=_PUBLIC))

        answer = program.post(
            f"{WEBHOOKS}/{webhook['id']}/dead-letters/resend", {"given_up_since": moment}
        )

        assert answer.status_code == 422
        assert [error["field"] for error in json_of(answer)["errors"]] == ["/given_up_since"]
