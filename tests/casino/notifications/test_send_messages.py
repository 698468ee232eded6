"""Sending e-mails and chat messages from their rows."""

import json
import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from pytest_django import Settings

from casino.notifications.send_messages import PAUSES, MessageNotSent, send_messages
from compliance.notifications.choose import Channels, choose_notifications
from compliance.notifications.models import Message, Notification
from compliance.notifications.notify import notify
from tests.casino.api.events.receiver import receiving
from tests.casino.notifications.people import somebody
from tests.casino_in_play import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    """An installation in English that people open by its name."""
    settings.SITE_URL, settings.LANGUAGE_CODE = "https://sabot.casino.example", "en"
    settings.WEBHOOKS_TO_LOOPBACK = True


def send(at: datetime = NOW) -> int:
    """Sends what is due at this time."""
    return send_messages(now=lambda: at)


def tell(*names: str, kind: str = "approval", number: int = 1) -> None:
    """Notifies these people of so many cases."""
    people = [somebody(name) for name in names]
    for case in range(number):
        notify(
            persons=people,
            kind=kind,
            key=f"case:{case}",
            subject="p-1 wins 1.500,00",
            address=f"/admin/cases/{case}/",
            at=NOW,
        )


def chat_only(name: str) -> None:
    """A person who wants approvals in the chat only."""
    choose_notifications(
        person=somebody(name), channels={"approval": Channels(False, True)}, quiet=None, at=NOW
    )


class Refuses(EmailBackend):
    """A mail server that refuses everything for one person."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Sends all messages or none."""
        if any("ada@casino.example" in message.to for message in messages):
            raise smtplib.SMTPServerDisconnected("gone")
        return super().send_messages(messages)


class TestAMail:
    def test_names_the_kind_and_links_to_the_page(self) -> None:
        """Neither amounts nor customers leave Sabot, whatever the subject says."""
        tell("ada")

        send()

        [message] = mail.outbox
        assert (message.to, message.subject) == (
            ["ada@casino.example"],
            "Sabot: An approval awaits you",
        )
        assert "https://sabot.casino.example/admin/cases/0/" in message.body
        assert "1.500" not in message.body
        assert "p-1" not in message.body

    def test_has_all_that_waits_for_its_person(self) -> None:
        """In the morning one e-mail, not thirty."""
        tell("ada", "bruno", number=3)

        sent = send()

        assert sent == 6
        assert [message.subject for message in mail.outbox] == [
            "Sabot: An approval awaits you, and 2 more"
        ] * 2

    def test_is_sent_once(self) -> None:
        """Every sweep looks at the rows again."""
        tell("ada")
        send()

        assert (send(), len(mail.outbox)) == (0, 1)

    def test_is_not_sent_before_its_time(self) -> None:
        """During quiet hours."""
        tell("ada")
        Message.objects.update(due_at=NOW + timedelta(hours=1))

        assert (send(), send(NOW + timedelta(hours=1))) == (0, 1)

    @pytest.mark.parametrize("field", ["read_at", "resolved_at"])
    def test_is_dropped_if_nobody_needs_it_any_more(self, field: str) -> None:
        """It was read under the bell, or somebody has acted, before the quiet hours ended."""
        tell("ada")
        Notification.objects.update(**{field: NOW})

        assert (send(), len(mail.outbox)) == (0, 0)
        assert Message.objects.filter(dropped_at=NOW).count() == 1

    def test_that_fails_does_not_stop_others_and_is_repeated(self, settings: Settings) -> None:
        """With growing pauses, and the failure is seen as that of a task."""
        tell("ada", "bruno")
        settings.EMAIL_BACKEND = f"{__name__}.Refuses"

        with pytest.raises(MessageNotSent, match="gone"):
            send()

        waiting = Message.objects.get(sent_at=None)
        assert [message.to for message in mail.outbox] == [["bruno@casino.example"]]
        assert (waiting.attempts, waiting.due_at) == (1, NOW + PAUSES[0])

    def test_is_given_up_after_the_last_pause(self, settings: Settings) -> None:
        """The inbox still has it."""
        tell("ada")
        settings.EMAIL_BACKEND = f"{__name__}.Refuses"
        at = NOW
        for pause in (*PAUSES, timedelta()):
            with pytest.raises(MessageNotSent):
                send(at)
            at += pause

        assert (send(at), Message.objects.get().dropped_at is None) == (0, False)


class TestTheChat:
    def test_gets_the_json_of_an_incoming_webhook(self, settings: Settings) -> None:
        """As Slack and Mattermost take it: one text."""
        chat_only("ada")
        person = User.objects.get(username="ada")
        with receiving(200) as chat:
            settings.CHAT_WEBHOOK_URL = chat.url
            notify(
                persons=[person],
                kind="approval",
                key="case:1",
                subject="C-0001",
                address="/admin/cases/1/",
                at=NOW,
            )

            send()

        [message] = chat.messages
        assert json.loads(message.body) == {
            "text": "An approval awaits you\nhttps://sabot.casino.example/admin/cases/1/"
        }

    def test_is_not_called_at_addresses_inside(self, settings: Settings) -> None:
        """The sender of webhooks refuses them, and the error does not show the secret address."""
        settings.WEBHOOKS_TO_LOOPBACK = False
        settings.CHAT_WEBHOOK_URL = "https://chat.internal/hooks/secret"
        chat_only("ada")
        tell("bruno", kind="alarm")

        with pytest.raises(MessageNotSent) as refused:
            send()

        assert "secret" not in str(refused.value)
        assert Message.objects.get(channel="chat").attempts == 1

    def test_of_an_installation_without_one_is_skipped(self, settings: Settings) -> None:
        """Messages do not pile up until somebody sets one."""
        settings.CHAT_WEBHOOK_URL = ""
        tell("ada", kind="alarm")

        send()

        assert not Message.objects.filter(sent_at=None).exists()
