"""Pages as a person reads them after login."""

import re

from django.contrib.auth.models import User
from django.test import Client

from tests.casino_in_play import by_now


def reader(user: User) -> Client:
    """A browser of this person with a recent second factor, in English."""
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    session = client.session
    session["confirmed_at"] = by_now().timestamp()
    session.save()
    return client


def plain(client: Client, address: str) -> str:
    """The text of a page."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    page = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
