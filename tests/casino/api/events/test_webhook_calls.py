"""Webhooks are added, read, rotated, pinged, resumed and removed (issue 8)."""

from datetime import timedelta

import pytest

from casino.integrations.add_webhook import MOST_WEBHOOKS
from casino.integrations.deliver_events import MOST_DEAD
from casino.integrations.models import Webhook, WebhookSecret
from compliance.trail.models import AuditRecord
from tests.casino.api.api_client import Program, issued, json_of, slug_of
from tests.casino.api.events.deliveries import exhaust
from tests.casino.api.events.event_scenarios import (
    WEBHOOKS,
    added,
    deliver,
    everything_happens,
    settled_rounds,
    webhook_status_after,
)
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import NOW, open_table

pytestmark = pytest.mark.django_db

_PUBLIC = "https://studio.example/hook"


@pytest.fixture
def program() -> Program:
    """A program with every scope."""
    return Program(issued().token)


class TestANewWebhook:
    def test_shows_its_secret_only_once(self, program: Program) -> None:
        """The secret is stored encrypted."""
        created = added(program, url=_PUBLIC, types=["round.voided"], description="voids")

        assert created.status_code == 201
        webhook = json_of(created)
        secret = webhook.pop("secret")
        assert secret.startswith("whsec_")
        assert (webhook["status"], webhook["types"], webhook["behind"]) == (
            "running",
            ["round.voided"],
            0,
        )
        assert json_of(program.get(created.headers["Location"])) == webhook
        assert json_of(program.get(WEBHOOKS))["data"] == [webhook]
        stored = bytes(WebhookSecret.objects.get().sealed)
        assert secret.encode() not in stored
        on_record = AuditRecord.objects.get(action="WEBHOOK_ADDED")
        assert secret not in str(on_record.details)
        assert on_record.details["url"] == _PUBLIC

    @pytest.mark.parametrize(
        ("requested", "field"),
        [
            ({"url": "http://studio.example/"}, "/url"),
            ({"url": 7}, "/url"),
            ({}, "/url"),
            ({"url": _PUBLIC, "types": ["round.held"]}, "/types/0"),
            ({"url": _PUBLIC, "after": "99999"}, "/after"),
            ({"url": _PUBLIC, "after": "x"}, "/after"),
            ({"url": _PUBLIC, "description": "two\nlines"}, "/description"),
        ],
    )
    def test_is_refused_with_the_field_that_is_wrong(
        self, program: Program, requested: dict[str, object], field: str
    ) -> None:
        """422 names the field; nothing is created."""
        answer = added(program, **requested)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert [error["field"] for error in json_of(answer)["errors"]] == [field]
        assert not Webhook.objects.exists()

    @pytest.mark.slow
    def test_is_one_of_twenty_at_most(self, program: Program) -> None:
        """A key has at most twenty webhooks."""
        for _webhook in range(MOST_WEBHOOKS):
            assert added(program, url=_PUBLIC).status_code == 201

        assert added(program, url=_PUBLIC).status_code == 422


class TestAWebhook:
    def test_is_not_found_by_another_key(self, program: Program) -> None:
        """Another key can neither read, change nor remove it."""
        own_webhook = json_of(added(program, url=_PUBLIC))["links"]["self"]
        other = Program(issued().token)

        answers = [
            other.get(own_webhook),
            other.call("DELETE", own_webhook),
            other.get(f"{own_webhook}/dead-letters"),
            *(
                other.post(f"{own_webhook}/{action}", {})
                for action in ("secrets", "resume", "ping")
            ),
            other.post(f"{own_webhook}/dead-letters/1/resend", {}),
        ]

        assert {answer.status_code for answer in answers} == {404}
        assert json_of(other.get(WEBHOOKS))["data"] == []

    def test_that_is_removed_is_not_found(self, program: Program) -> None:
        """The removal is recorded."""
        own_webhook = json_of(added(program, url=_PUBLIC))["links"]["self"]

        assert program.call("DELETE", own_webhook).status_code == 204
        assert program.call("DELETE", own_webhook).status_code == 404
        assert program.get(own_webhook).status_code == 404
        assert AuditRecord.objects.filter(action="WEBHOOK_REMOVED").count() == 1

    def test_gets_a_new_secret_with_an_overlap(self, program: Program) -> None:
        """A day by default, thirty days at most."""
        own_webhook = json_of(added(program, url=_PUBLIC))
        secrets = f"{own_webhook['links']['self']}/secrets"

        rotated = program.post(secrets, {"overlap_hours": 1})

        assert rotated.status_code == 201
        assert json_of(rotated)["secret"] != own_webhook["secret"]
        assert program.post(secrets, {}).status_code == 201
        assert program.post(secrets, {"overlap_hours": 721}).status_code == 422

    def test_that_runs_cannot_be_resumed(self, program: Program) -> None:
        """409 ``webhook-not-stopped``."""
        own_webhook = json_of(added(program, url=_PUBLIC))["links"]["self"]

        answer = program.post(f"{own_webhook}/resume", {})

        assert (answer.status_code, slug_of(answer)) == (409, "webhook-not-stopped")

    @pytest.mark.slow
    def test_has_a_status(self, program: Program) -> None:
        """Running, failing with the latest answer, running again."""
        everything_happens()
        with receiving(lambda _handler, number: 200 if number else 500) as receiver:
            own_webhook = json_of(added(program, url=receiver.url, cursor="0"))
            before = webhook_status_after(program, own_webhook["id"])
            webhook = Webhook.objects.get()
            deliver(webhook)
            failing = webhook_status_after(program, own_webhook["id"])
            deliver(webhook, at=webhook.made_at + timedelta(hours=1))
            after = webhook_status_after(program, own_webhook["id"])

        assert before["behind"] > 0
        assert (failing["status"], failing["attempts"]) == ("failing", 1)
        assert (failing["last_status"], failing["last_error"]) == (500, "answered 500")
        assert failing["next_attempt_at"] is not None
        assert (after["status"], after["delivered"]) == ("running", 5)
        assert (after["last_error"], after["dead_letters"]) == ("", 0)


class TestDeadLetters:
    @pytest.mark.slow
    def test_are_listed_and_resent(self, program: Program) -> None:
        """Dead letters are resent and the webhook resumed, by the API alone; a full page ends."""
        open_table()
        for number in range(MOST_DEAD):
            settled_rounds(f"r-{number}")
        with receiving(500) as receiver:
            own_webhook = json_of(added(program, url=receiver.url, cursor="0"))
            webhook, at = Webhook.objects.get(), NOW
            at = webhook.made_at
            for _letter in range(MOST_DEAD):
                at = exhaust(webhook, at=at)
            assert webhook_status_after(program, own_webhook["id"])["status"] == "stopped"
            letters = json_of(program.get(own_webhook["links"]["dead_letters"]))["data"]
            assert [letter["number"] for letter in letters] == list(range(MOST_DEAD, 0, -1))
            address = own_webhook["links"]["dead_letters"]
            page = json_of(program.get(f"{address}?limit={MOST_DEAD - 1}"))
            assert [letter["number"] for letter in page["data"]] == list(range(MOST_DEAD, 1, -1))
            receiver.answer = lambda _handler, _number: 200
            requested = program.post(letters[-1]["links"]["resend"], {})
            assert (requested.status_code, json_of(requested)["sent_at"]) == (202, None)
            ping = program.post(f"{own_webhook['links']['self']}/ping", {})
            assert (ping.status_code, json_of(ping)["dead_letter"]) == (202, None)
            resumed = program.post(f"{own_webhook['links']['self']}/resume", {})
            assert json_of(resumed)["status"] == "running"
            deliver(webhook, at=at)

        letters = json_of(program.get(f"{address}?cursor={page['next']}"))["data"]
        assert [(letter["number"], letter["resent"]["status"]) for letter in letters] == [(1, 200)]
        orders = webhook_status_after(program, own_webhook["id"])["orders"]
        assert [(order["dead_letter"], order["status"]) for order in orders] == [
            (None, 200),
            (1, 200),
        ]
        assert (
            program.post(letters[0]["links"]["resend"].replace("/1/", "/9/"), {}).status_code == 404
        )
