"""An open page when its session ends: it warns, and then shows nothing more."""

import re
from datetime import timedelta
from typing import Final

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from casino.access.models import OpenSession
from tests.casino.backoffice.site.browser_tabs import log_in
from tests.query_in_thread import query_in_thread

pytestmark = pytest.mark.slow

_ROUNDS: Final = "/admin/rounds/round/"


@pytest.fixture
def rounds(page: Page, address: str) -> Page:
    """The list of rounds, with a clock of the test's."""
    log_in(page, address)
    page.clock.install()
    page.goto(f"{address}{_ROUNDS}")
    expect(page.locator("tbody tr")).to_have_count(1)
    return page


def _let_pass(**span: float) -> None:
    """Dates the last action of all sessions back."""
    earlier = F("seen_at") - timedelta(**span)
    query_in_thread(lambda: OpenSession.objects.update(seen_at=earlier))


def test_a_page_left_alone_warns_and_can_be_kept(rounds: Page) -> None:
    """The button is a person's own step: the session goes on."""
    notice = rounds.get_by_text("Your session ends in less than two minutes.")
    expect(notice).to_be_hidden()
    _let_pass(minutes=29)
    rounds.clock.fast_forward(60_000)
    expect(notice).to_be_visible()

    rounds.get_by_role("button", name="Stay signed in").click()

    expect(notice).to_be_hidden()
    [seen_at] = query_in_thread(lambda: list(OpenSession.objects.values_list("seen_at", flat=True)))
    assert seen_at > query_in_thread(lambda: OpenSession.objects.get().expire_date) - timedelta(
        hours=8
    )


def test_a_page_leaves_when_its_session_has_ended(rounds: Page) -> None:
    """Nobody touches it; after the login it is shown again."""
    query_in_thread(lambda: OpenSession.objects.all().delete())

    rounds.clock.fast_forward(120_000)

    expect(rounds).to_have_url(re.compile(r"/admin/login/\?next=%2Fadmin%2Frounds%2Fround%2F$"))
    assert not rounds.get_by_text("bj-7-20261121-211010").count()
