"""The tour on *Today* at the first login."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.backoffice.today.first_steps import _STEPS
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of, give_phone

pytestmark = pytest.mark.django_db
_WELCOME = "Welcome to Sabot"


@pytest.fixture
def person() -> User:
    """An auditor with a phone, before the first login."""
    user = User.objects.create_user("elena", password=PASSWORD, is_staff=True)
    user.groups.set(Group.objects.filter(name="auditor"))
    give_phone(user)
    return user


def _log_in(person: User) -> Client:
    browser = Client()
    browser.cookies["django_language"] = "en"
    browser.post("/admin/login/", {"username": person.get_username(), "password": PASSWORD})
    browser.post("/admin/login/second/", {"code": code_of(person)})
    return browser


def _today(browser: Client) -> str:
    return browser.get("/admin/").content.decode()


def test_shows_what_the_role_may_open(person: User) -> None:
    """An auditor closes no day and reports no malfunction; the pages open."""
    browser = _log_in(person)

    today = _today(browser)

    assert _WELCOME in today
    assert "Each record proves that it was not changed." in today
    assert "compare the remedies, and propose one" not in today
    steps = [step for step in _STEPS if not step.permission or person.has_perm(step.permission)]
    assert {browser.get(step.address).status_code for step in steps} == {200}


def test_is_closed_and_opened_again(person: User) -> None:
    """By its button, and by the window of keys."""
    browser = _log_in(person)
    browser.post("/admin/tour/")
    closed = _today(browser)

    browser.post("/admin/tour/", {"open": ""})

    assert _WELCOME not in closed
    assert _WELCOME in _today(browser)


def test_is_not_shown_at_the_second_login(person: User) -> None:
    """Who knows Sabot starts with the work that waits."""
    _log_in(person)

    second = _log_in(person)

    assert _WELCOME not in _today(second)
