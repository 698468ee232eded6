"""Somebody is notified when a webhook stops: its program no longer hears of it (issue 21)."""

import pytest

from casino.integrations.add_webhook import NewWebhook, add_webhook
from casino.integrations.change_webhook import resume_webhook
from casino.integrations.models import WebhookState
from casino.notifications.follow_conditions import follow_conditions
from compliance.notifications.models import Notification
from tests.casino.api.api_client import ADMINISTRATOR, issued
from tests.casino.notifications.people import somebody
from tests.casino.notifications.test_follow_conditions import LATER
from tests.casino_in_play import NOW

pytestmark = pytest.mark.django_db


def notified() -> list[tuple[str, str]]:
    """The open notifications: who, of which program."""
    follow_conditions(at=NOW, escalate_after=LATER)
    rows = Notification.objects.filter(kind="webhook", resolved_at=None)
    return [(row.recipient.username, row.subject) for row in rows.select_related("recipient")]


def test_those_who_manage_keys_are_notified_while_it_is_stopped() -> None:
    """Not while it runs, and no longer once it is resumed."""
    for role in ("administrator", "supervisor"):
        somebody(role, role)
    key = issued(owner="Live Studio").key
    new = NewWebhook(url="https://studio.example/hook")
    webhook = add_webhook(key=key, new=new, at=NOW, actor=ADMINISTRATOR).webhook

    running = notified()
    WebhookState.objects.update(stopped_at=NOW)
    stopped = notified()
    resume_webhook(webhook=webhook, at=NOW, actor=ADMINISTRATOR)

    assert running == []
    assert stopped == [("administrator", "Live Studio")]
    assert notified() == []
