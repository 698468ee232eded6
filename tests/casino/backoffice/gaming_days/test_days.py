"""Gaming days on the pages: their figures, open points, and closing."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client

from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.control_totals import summed
from rounds.models import ClosedDay
from tests.casino.backoffice.conftest import page_of, person
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import tamper
from tests.payouts.settlement.resettlement_scenarios import void

LIST = "/admin/days/"
PAGE = "/admin/days/2026-11-10/"


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """r-1 was settled on the day; r-2 is held."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()


@pytest.fixture
def compliance(client: Client, _played: None) -> Client:
    """A browser of compliance, in English."""
    client.force_login(person("compliance"))
    client.cookies["django_language"] = "en"
    return client


def plain(client: Client, address: str) -> str:
    """The text of a page."""
    page = client.get(address).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


class TestTheList:
    def test_shows_open_and_closed_days(self, compliance: Client) -> None:
        """One with 22.00 staked, 25.00 paid and 22.00 held; one without rounds."""
        close()

        words = plain(compliance, LIST)

        closed = r"Tue 10 Nov 2026 Closed 1 0 44\.00 22\.00 0\.00 25\.00 .3\.00 1 0 "
        assert re.search(closed, words)
        assert re.search(r"Wed 11 Nov 2026 To close 0 0( 0\.00){5} \S", words)
        assert words.index("11 Nov 2026") < words.index("10 Nov 2026")

    def test_is_paginated(self, compliance: Client) -> None:
        """Fifty days per page, forwards and backwards."""
        run, totals = reconcile_at(), {"all": summed([]), "games": []}
        for number in range(60):
            day = ClosedDay.objects.create(day=date(2026, 8, 1) + timedelta(days=number)).day
            closed = {"closed_at": AFTER, "actor": "night", "totals": totals, "digest": b""}
            DayClosing.objects.create(day=day, run=run, **closed)

        first = compliance.get(LIST).content.decode()
        older = re.search(r'href="(\?before=[0-9-]+)"', first)
        assert older is not None
        second = compliance.get(LIST + older[1]).content.decode()
        newer = re.search(r'href="(\?after=[0-9-]+)"', second)
        assert newer is not None

        days = [re.findall(r'datetime="([0-9-]+)"', page) for page in (first, second)]
        assert len(days[0]) == 50
        assert not set(days[0]) & set(days[1])
        assert compliance.get(LIST + newer[1]).content.decode().count("datetime=") == 50

    @pytest.mark.parametrize("requested", ["?before=tomorrow", "?after=0", "?before=0001-01-01"])
    def test_ignores_invalid_parameters(self, compliance: Client, requested: str) -> None:
        """An invalid day is no error."""
        assert compliance.get(LIST + requested).status_code == 200


class TestADay:
    def test_shows_the_recorded_closing(self, compliance: Client) -> None:
        """Figures, digest, actor and reconciliation."""
        closing = close()

        words = plain(compliance, PAGE)

        assert "Tuesday 10 November 2026 Closed" in words
        line = r"Baccarat bac-1 2 1 0 0 44\.00 22\.00 0\.00 25\.00 .3\.00 0\.00 1 22\.00"
        assert re.search(line, words)
        assert "Held at closing 1 held round with stakes of €22.00" in words
        assert bytes(closing.digest).hex() in words
        assert "Lorenzo Ferri" in words
        assert re.search(r"Stakes received 2 44\.00 0 0\.00", words)
        assert "Close the day" not in words

    def test_speaks_italian(self, compliance: Client) -> None:
        """In the words of the other pages."""
        close()
        compliance.cookies["django_language"] = "it"

        words = plain(compliance, PAGE)

        assert "Martedì 10 novembre 2026 Chiusa" in words
        assert re.search(r"bac-1 2 1 0 0 44,00 22,00 0,00 25,00 .3,00 0,00 1 22,00", words)

    def test_links_corrections_of_later_days(self, compliance: Client) -> None:
        """A void after the closing is on both days, with a link to the round."""
        close()
        arrive(dealt("r-late", NOON), at=AFTER + timedelta(days=1))
        void("r-1", after=1, at=AFTER + timedelta(days=1))

        list_page, day_page = compliance.get(PAGE), compliance.get("/admin/days/2026-11-12/")

        for answer, title in (
            (list_page, "Booked on later days"),
            (day_page, "Booked here for other"),
        ):
            page = answer.content.decode()
            assert title in page
            assert page_of("r-1") in page
            assert page_of("r-late") in page
        assert PAGE in day_page.content.decode()
        assert "/admin/days/2026-11-12/" in list_page.content.decode()

    def test_shows_what_prevents_closing(self, compliance: Client) -> None:
        """Each reason links to where it is resolved."""
        assert "Not reconciled yet" in plain(compliance, PAGE)

        arrive(dealt("r-3", NOON), at=AFTER)
        assert page_of("r-3") in compliance.get(PAGE).content.decode()
        assert "1 round of the day is awaiting settlement" in plain(compliance, PAGE)

        settle_at(AFTER)
        reconcile_at(AFTER)
        tamper("UPDATE payouts_dailyrounds SET rounds = rounds + 1")
        assert "The books do not balance" in plain(compliance, PAGE)

        tamper("UPDATE payouts_dailyrounds SET rounds = rounds - 1")
        assert "Close the day" in plain(compliance, PAGE)
        assert "An earlier day is still open" in plain(compliance, "/admin/days/2026-11-11/")

    def test_names_the_rounds_that_differ(self, compliance: Client) -> None:
        """With links, whether reconciliation or closing found them."""
        reconcile_at(AFTER)
        tamper("UPDATE payouts_transfer SET amount_cents = 2300 WHERE purpose = 'stakes_settled'")

        for _found_by in ("closing", "reconciliation"):
            page = compliance.get(PAGE).content.decode()
            assert page_of("r-1") in page
            assert "Close the day" not in page
            reconcile_at(AFTER)

    @pytest.mark.parametrize("day", ["today", "2026-13-01", "1"])
    def test_of_an_invalid_date_is_not_found(self, compliance: Client, day: str) -> None:
        """404."""
        assert compliance.get(f"{LIST}{day}/").status_code == 404


class TestToday:
    def test_says_which_day_is_to_be_closed(self, compliance: Client) -> None:
        """The first that is over."""
        assert "A gaming day has ended and is not closed Tuesday 10 November 2026" in plain(
            compliance, "/admin/"
        )
        close()

        assert PAGE not in compliance.get("/admin/").content.decode()
