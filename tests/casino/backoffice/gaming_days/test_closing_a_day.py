"""Closing a gaming day on the pages: the summary, the requirements, and attempts to bypass them."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing
from rounds.models import ClosedDay, QueuedRound
from tests.casino.backoffice.conftest import newcomer, page_of, person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.second_factors import code_of, give_phone, wrong_code
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import void

PAGE = "/admin/days/2026-11-10/"
CLOSE = f"{PAGE}close/"
HELD = {"held_rounds": 1, "held_cents": 2200, "acknowledged": "on"}
"""What the form sends: r-2 is held with 22.00."""


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """r-1 was settled on the day, r-2 is held; everything is reconciled."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()
    reconcile_at()


@pytest.fixture
def officer(_played: None) -> User:
    """A compliance officer with a phone."""
    user = person("compliance")
    give_phone(user)
    return user


@pytest.fixture
def browser(officer: User) -> Client:
    """A browser of compliance with a recent second factor."""
    return reader(officer)


def unproved(user: User) -> Client:
    """A browser of compliance without a recent second factor."""
    client = reader(user)
    session = client.session
    del session["confirmed_at"]
    session.save()
    return client


def sent(client: Client, **fields: Any) -> str:
    """Sends the form; returns the text of the next page."""
    client.post(CLOSE, {**HELD, **fields})
    return plain(client, PAGE)


def is_closed() -> bool:
    """Whether the day is closed."""
    return ClosedDay.objects.filter(day=DAY).exists()


class TestTheDaysPage:
    def test_shows_held_rounds(self, browser: Client) -> None:
        """With number, amount and links to the rounds."""
        words = plain(browser, PAGE)

        assert "1 held round with stakes of €22.00 Settled amounts agree to the cent" in words
        assert "No differences" not in words
        assert re.search(r"Held rounds of this day 1 22\.00", words)
        page = browser.get(PAGE).content.decode()
        [link] = re.findall(r'href="(/admin/rounds/round/\?status=held[^"]+)"', page)
        listed = browser.get(link.replace("&amp;", "&")).content.decode()
        assert page_of("r-2") in listed
        assert page_of("r-1") not in listed

    def test_shows_what_else_is_not_final(self, browser: Client) -> None:
        """A failed round, a conflict, a document in quarantine."""
        arrive(dealt("r-3", NOON), at=AFTER)
        QueuedRound.objects.update(attempts=1)
        arrive(dealt("r-1", NOON + timedelta(minutes=1)), at=AFTER)
        arrive(dealt("r-4", NOON, table="bac-9"), at=AFTER)

        words = plain(browser, PAGE)

        assert re.search(r"Rounds awaiting settlement 1 failed 1 22\.00", words)
        assert re.search(r"Rounds with conflicting documents 1 22\.00", words)
        assert re.search("Documents quarantined since the start of the day 1 –", words)  # noqa: RUF001  the page

    def test_says_that_no_decision_is_pending(self, browser: Client) -> None:
        """Once the held round is decided."""
        void("r-2", after=0, at=AFTER)
        reconcile_at(AFTER)

        words = plain(browser, PAGE)

        assert "The day can be closed" in words
        assert "No decisions are pending for this day." in words


class TestTheConfirmation:
    def test_closes_the_day_by_name(self, browser: Client) -> None:
        """The confirmation and the record name what was held."""
        shown = plain(browser, CLOSE)
        assert "I close the day with 1 held round with stakes of €22.00." in shown
        assert "Closing cannot be undone" in shown

        words = sent(browser)

        assert "Gaming day closed." in words
        assert "Held at closing 1 held round with stakes of €22.00" in words
        closing = DayClosing.objects.get()
        assert (closing.actor, closing.held_rounds, closing.held_cents) == ("compliance", 1, 2200)

    def test_needs_a_code(self, officer: User) -> None:
        """Unless a second factor was given recently."""
        browser = unproved(officer)
        assert 'name="code"' in browser.get(CLOSE).content.decode()

        assert "Gaming day closed." in sent(browser, code=code_of(officer))

    @pytest.mark.slow
    def test_is_not_done_by_get(self, browser: Client) -> None:
        """GET and HEAD change nothing, with any query."""
        for address in (PAGE, CLOSE, f"{CLOSE}?held_rounds=1&held_cents=2200&acknowledged=on"):
            assert browser.get(address).status_code == 200
            assert browser.head(address).status_code == 200

        assert not is_closed()

    def test_leads_back_where_the_day_cannot_be_closed(self, browser: Client) -> None:
        """To the day's page, which says why."""
        arrive(dealt("r-3", NOON), at=AFTER)

        assert browser.get(CLOSE)["Location"] == PAGE


class TestAWayAround:
    @pytest.mark.parametrize("role", ["supervisor", "payments", "auditor", "administrator"])
    def test_is_not_another_role(self, role: str) -> None:
        """Neither the page nor the form, even with a second factor."""
        user = person(role)
        give_phone(user)
        other = reader(user)

        assert other.get(CLOSE).status_code == 403
        assert other.post(CLOSE, HELD).status_code == 403
        assert not is_closed()

    def test_is_not_a_password_alone(self) -> None:
        """A person without a phone is sent to set it up."""
        bare = reader(newcomer("compliance"))

        answers = [bare.get(CLOSE)]
        answers += [bare.post(CLOSE, {**HELD, "code": code}) for code in ("", "000000")]

        assert {answer["Location"] for answer in answers} == {"/admin/security/"}
        assert not is_closed()

    @pytest.mark.slow
    def test_is_not_a_wrong_or_a_used_code(self, officer: User) -> None:
        """Each is recorded as a failed login; the day stays open."""
        browser = unproved(officer)
        sent(browser)
        assert "The code is incorrect" in sent(browser, code=wrong_code(officer))
        assert AuditRecord.objects.filter(action="LOGIN_FAILED").count() == 1
        code = code_of(officer)
        browser.post("/admin/security/confirm/", {"code": code})
        again = unproved(officer)

        assert "The code is incorrect" in sent(again, code=code)
        assert not is_closed()

    def test_is_not_an_expired_second_factor(self, officer: User) -> None:
        """Six minutes; five are allowed."""
        browser = reader(officer)
        session = browser.session
        session["confirmed_at"] -= 6 * 60
        session.save()

        assert "Enter the six-digit code from your phone." in sent(browser)
        assert not is_closed()

    @pytest.mark.parametrize(
        "fields",
        [
            {"held_rounds": 1, "held_cents": 2200},
            {"acknowledged": "on"},
            {},
            {"held_rounds": -1, "held_cents": 2200, "acknowledged": "on"},
            {"held_rounds": "1; --", "held_cents": "2200", "acknowledged": "on"},
        ],
    )
    def test_is_not_an_incomplete_form(self, browser: Client, fields: dict[str, Any]) -> None:
        """Without the acknowledgement or its figures."""
        browser.post(CLOSE, fields)

        assert not is_closed()

    @pytest.mark.parametrize("shown", [(0, 0), (1, 2199), (2, 2200), (0, 2200)])
    def test_is_not_a_false_acknowledgement(self, browser: Client, shown: tuple[int, int]) -> None:
        """A forged form with other figures is refused."""
        words = sent(browser, held_rounds=shown[0], held_cents=shown[1])

        assert "The gaming day was not closed. The held rounds have changed" in words
        assert "The current value is 1 held round with stakes of €22.00. Review it again." in words
        assert not is_closed()

    def test_is_not_an_outdated_page(self, browser: Client) -> None:
        """Another held round arrived; both figures are named."""
        arrive(dealt("r-5", NOON, held=True), at=AFTER)
        settle_at(AFTER)
        reconcile_at(AFTER)

        words = sent(browser)

        assert "You reviewed 1 held round with stakes of €22.00." in words
        assert "The current value is 2 held rounds with stakes of €44.00. Review it again." in words
        assert not is_closed()
        assert "Gaming day closed." in sent(browser, held_rounds=2, held_cents=4400)

    def test_is_not_another_site(self, officer: User) -> None:
        """A form without a CSRF token is refused."""
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(officer)

        assert browser.post(CLOSE, HELD).status_code == 403
        assert not is_closed()


class TestConcurrentClosings:
    def test_a_second_click_closes_nothing(self, browser: Client) -> None:
        """The page says that the day is closed."""
        sent(browser)

        message = "The gaming day was not closed. Already closed by compliance."
        assert message in sent(browser)
        assert DayClosing.objects.count() == 1

    def test_two_persons_close_it_once(self, officer: User) -> None:
        """At the same moment; one closing is recorded."""
        browsers = [reader(officer), reader(_colleague())]
        with ThreadPoolExecutor(2) as hands:
            statuses = list(hands.map(_post, browsers))

        assert statuses == [302, 302]
        assert DayClosing.objects.count() == 1
        assert AuditRecord.objects.filter(action="DAY_CLOSED_BY_SIGNATURE").count() == 1

    def test_the_nightly_task_may_be_faster(self, browser: Client) -> None:
        """The page names the closing that came first."""
        close()

        assert "Already closed by Lorenzo Ferri." in sent(browser)
        assert DayClosing.objects.get().actor == "Lorenzo Ferri"


def _colleague() -> User:
    colleague = User.objects.create_user("sara", is_staff=True)
    colleague.groups.set(User.objects.get(username="compliance").groups.all())
    give_phone(colleague)
    return colleague


def _post(browser: Client) -> int:
    try:
        return browser.post(CLOSE, HELD).status_code
    finally:
        connection.close()
