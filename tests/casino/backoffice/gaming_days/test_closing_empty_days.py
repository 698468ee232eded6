"""Closing several days without bookings on the pages, with one signature."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.signatures.models import DecisionSignature
from payouts.gaming_days.models import DayClosing
from rounds.gaming_day import end_of_day
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import (
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)

DAYS: Final = "/admin/days/"
CLOSE: Final = "/admin/days/empty/close/"
FORM: Final = {
    "first": "2026-11-11",
    "last": "2026-11-13",
    "held_rounds": 1,
    "held_cents": 2200,
    "acknowledged": "on",
}


@pytest.fixture
def officer(fresh_casino: str) -> User:
    """A compliance officer; a closed day with a held round, and three days without bookings."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()
    close()
    reconcile_at(end_of_day(DAY + timedelta(days=3)) + timedelta(hours=3))
    user = person("compliance")
    give_phone(user)
    return user


@pytest.fixture
def browser(officer: User) -> Client:
    """A browser of compliance with a recent second factor."""
    return reader(officer)


def sent(client: Client, **fields: Any) -> str:
    """Sends the form; returns the text of the next page."""
    answer = client.post(CLOSE, {**FORM, **fields})
    return plain(client, answer["Location"])


def closed() -> int:
    """How many days without bookings are closed."""
    return DayClosing.objects.filter(day__gt=DAY).count()


def test_the_list_offers_them_together(browser: Client) -> None:
    """With the first and the last day."""
    words = plain(browser, DAYS)

    assert "3 days without bookings can be closed together" in words
    assert "Wed 11 Nov 2026 to Fri 13 Nov 2026" in words
    assert CLOSE in browser.get(DAYS).content.decode()


def test_only_those_who_may_close_are_offered_them(officer: User) -> None:
    """A supervisor sees the days alone."""
    words = plain(reader(person("supervisor")), DAYS)

    assert "can be closed together" not in words


def test_the_page_says_what_follows_before_it_is_signed(browser: Client) -> None:
    """The days, the held rounds, the next day and the one signature."""
    words = plain(browser, CLOSE)

    assert "Close 3 days without bookings" in words
    assert "Thu 12 Nov 2026" in words
    assert "named in the closing: 1 held round with stakes of €22.00." in words
    assert "The next day to close is Sat 14 Nov 2026." in words
    assert "You sign all closings together, in your name" in words
    assert "I close the days with 1 held round with stakes of €22.00." in words


def test_one_signature_closes_them_all(browser: Client) -> None:
    """Each with its own signed record; the list offers nothing more."""
    words = sent(browser)

    assert "3 gaming days closed." in words
    assert "can be closed together" not in words
    assert closed() == 3
    assert DecisionSignature.objects.filter(signed_with__len=3).count() == 3
    assert browser.get(CLOSE)["Location"] == DAYS


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"last": "2026-11-12"}, "The days have changed"),
        ({"held_cents": 2100}, "The held rounds have changed"),
        ({"acknowledged": ""}, "Confirm that you have reviewed the items"),
        ({"first": "yesterday"}, "Enter a valid date"),
    ],
)
def test_a_form_that_shows_otherwise_closes_nothing(
    browser: Client, fields: dict[str, Any], reason: str
) -> None:
    """An outdated or a forged one; the page says why."""
    assert reason in sent(browser, **fields)
    assert not closed()
