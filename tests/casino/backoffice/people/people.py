"""Administrators and their requests, for tests."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from casino.access.models import AccessEvent, AccessRequest
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of, give_phone

PEOPLE: Final = "/admin/people/"
REQUESTS: Final = f"{PEOPLE}requests/"
WHY: Final = "He asked me at the desk"


def somebody(name: str, *roles: str, **fields: Any) -> User:
    """A person with these roles and a phone."""
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True, **fields)
    user.groups.set(Group.objects.filter(name__in=roles))
    give_phone(user)
    return user


def browser_of(user: User) -> Client:
    """A browser of this person, in English."""
    browser = Client(REMOTE_ADDR="192.0.2.7")
    browser.force_login(user)
    browser.cookies["django_language"] = "en"
    return browser


def ask(
    browser: Client,
    administrator: User,
    person: User,
    kind: str,
    roles: Iterable[str] = (),
    **fields: str,
) -> Any:
    """Requests a change with a code; returns the answer."""
    form = {"reason": WHY, "code": code_of(administrator), "roles": list(roles), **fields}
    return browser.post(f"{PEOPLE}{person.pk}/change/{kind}/", form)


def decide(browser: Client, decider: User, row: AccessRequest, verdict: str = "approve") -> Any:
    """Decides a request with a code; returns the answer."""
    form = {"reason": "I asked him myself", "code": code_of(decider), "sure": "on"}
    return browser.post(f"{REQUESTS}{row.pk}/{verdict}/", form)


def password_on(answer: Any) -> str:
    """The password, or half of one, on a page."""
    [shown] = re.findall(r'id="token">([^<]+)<', answer.content.decode())
    return str(shown)


def changed(person: User, kind: AccessEvent.Kind, *, hours_ago: float) -> None:
    """Dates the latest change of the person's access back by this long."""
    at = timezone.now() - timedelta(hours=hours_ago)
    AccessEvent.objects.create(person=person, kind=kind, at=at)


def roles_of(person: User) -> set[str]:
    """The current roles of the person."""
    return set(User.objects.get(pk=person.pk).groups.values_list("name", flat=True))
