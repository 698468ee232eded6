"""Webhooks in the back office: status, dead letters, resuming (issue 8)."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.access.roles import ADMINISTRATOR
from casino.integrations.change_webhook import change_webhook, remove_webhook
from casino.integrations.deliver_events import MOST_DEAD
from casino.integrations.models import DeadLetter, Webhook, WebhookOrder, WebhookState
from tests.casino.api.api_client import ADMINISTRATOR as ADA
from tests.casino.api.events.deliveries import exhaust
from tests.casino.api.events.event_scenarios import deliver, settled_rounds, webhook_to
from tests.casino.api.events.receiver import receiving
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import NOW, open_table
from tests.compliance.trail.audit_records import audit_records

LIST = "/admin/webhooks/"


@pytest.fixture
def administrator(db: None) -> Client:
    """A browser of the administrator."""
    return reader(person(ADMINISTRATOR))


@pytest.fixture
def dead(db: None, settings: Settings) -> Webhook:
    """A webhook that was stopped by dead letters; two rounds wait."""
    settings.WEBHOOKS_TO_LOOPBACK = True
    open_table()
    for number in range(MOST_DEAD + 2):
        settled_rounds(f"r-{number}")
    with receiving(503) as receiver:
        added, at = webhook_to(receiver.url), NOW
        for _letter in range(MOST_DEAD):
            at = exhaust(added.webhook, at=at)
    return added.webhook


def page_of(webhook: Webhook) -> str:
    """The webhook's page."""
    return f"{LIST}{webhook.pk}/"


class TestTheList:
    def test_shows_the_status_of_each(self, dead: Webhook, administrator: Client) -> None:
        """With owner, URL and the latest answer."""
        running = webhook_to("https://studio.example/hook", seen=None)
        removed = webhook_to("https://gone.example/hook", seen=None).webhook
        remove_webhook(webhook=removed, at=NOW, actor=ADA)

        page = plain(administrator, LIST)

        assert "Live Studio" in page
        assert dead.url in page
        assert "answered 503" in page
        assert all(word in page for word in ("Stopped", "Running", "Ended"))
        assert running.secret not in page

    def test_says_in_italian_what_the_receiver_answered(
        self, dead: Webhook, administrator: Client
    ) -> None:
        """In the list, and beside each dead letter; delivery stores it in English."""
        administrator.cookies["django_language"] = "it"

        listed, page = plain(administrator, LIST), plain(administrator, page_of(dead))

        assert "ha risposto 503" in listed
        assert page.count("ha risposto 503") == 1 + MOST_DEAD
        assert "answered" not in listed + page

    def test_has_the_address_after_a_change(self, administrator: Client) -> None:
        """In the list, its filter, and on the page."""
        webhook = webhook_to("https://studio.example/hook", seen=None).webhook
        change_webhook(webhook=webhook, url="https://studio.example/other", at=NOW, actor=ADA)

        listed = plain(administrator, f"{LIST}?address=other")

        assert "https://studio.example/other" in listed
        assert "https://studio.example/other" in plain(administrator, page_of(webhook))
        assert "studio.example" not in plain(administrator, f"{LIST}?address=hook")


class TestTheSecret:
    def test_is_on_no_page(self, administrator: Client) -> None:
        """It is shown once, when the webhook is added."""
        added = webhook_to("https://studio.example/hook", seen=None)

        assert added.secret not in administrator.get(page_of(added.webhook)).content.decode()


class TestADeadLetter:
    def test_is_resent_by_the_administrator(self, dead: Webhook, administrator: Client) -> None:
        """The page shows that it is queued, then the answer; it is recorded."""
        answer = administrator.post(f"{page_of(dead)}dead-letters/2/resend/")
        waiting = plain(administrator, page_of(dead))
        deliver(dead)
        after = plain(administrator, page_of(dead))

        assert answer.status_code == 302
        assert "queued" in waiting
        assert "queued" not in after
        order = WebhookOrder.objects.get()
        assert order.dead_letter == DeadLetter.objects.get(number=2)
        assert order.actor == "administrator"
        [(actor, subject, details)] = audit_records("WEBHOOK_RESEND_ASKED")
        assert (actor, subject) == ("administrator", f"webhook:{dead.pk}")
        assert details["letter"] == 2

    def test_is_read_only_for_other_roles(self, dead: Webhook) -> None:
        """Compliance has no button and is answered 403."""
        client = reader(person("compliance"))

        assert "Send again" not in plain(client, page_of(dead))
        assert client.post(f"{page_of(dead)}dead-letters/1/resend/").status_code == 403


class TestAWebhookThatWasStopped:
    def test_is_resumed_once(self, dead: Webhook, administrator: Client) -> None:
        """After a ping; both are recorded once."""
        administrator.post(f"{page_of(dead)}ping/")
        assert "Sending. The response appears below." in plain(administrator, page_of(dead))
        for _time in range(2):
            administrator.post(f"{page_of(dead)}resume/")

        assert WebhookState.objects.get(webhook=dead).stopped_at is None
        assert len(audit_records("WEBHOOK_PINGED")) == len(audit_records("WEBHOOK_RESUMED")) == 1


def test_an_unknown_webhook_is_not_found(somebody_else: Client) -> None:
    """404 for every role."""
    assert somebody_else.get(f"{LIST}018f0000-0000-7000-8000-000000000000/").status_code == 404


@pytest.fixture
def somebody_else(db: None) -> Client:
    """A browser of an auditor."""
    user: User = person("auditor")
    return reader(user)
