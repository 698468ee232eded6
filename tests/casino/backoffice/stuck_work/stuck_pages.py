"""The page of one exception, for tests."""

from django.contrib.auth.models import User
from django.test import Client

from payouts.stuck_work.work import WorkId


def item(work: WorkId, action: str = "") -> str:
    """The address of an item of the exceptions queue, or of an action."""
    return f"/admin/stuck/{work.kind.value}/{work.key}/{action}"


def read(client: Client, work: WorkId) -> str:
    """The source of the item's page."""
    return client.get(item(work)).content.decode()


def act(client: Client, work: WorkId, action: str, **fields: object) -> str:
    """Sends an action's form; returns the next page."""
    answer = client.post(item(work, f"{action}/"), {"seen": 0, **fields}, follow=True)
    assert answer.redirect_chain == [(item(work), 302)]
    return answer.content.decode()


def me() -> User:
    """The supervisor."""
    return User.objects.get(username="supervisor")
