"""The lines of *Today*: stakes by half hour since midnight in Europe/Rome."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from casino.backoffice.today.half_hours import StakesLine, lines_of
from tests.casino.backoffice.rounds.listed_rounds import round_at
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines

DAY = date(2026, 11, 21)
TEN_TO_ELEVEN = datetime(2026, 11, 21, 21, 50, tzinfo=UTC)
"""Ten to eleven at night in Rome: the 46th half hour is under way."""


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """Clears the cache of lines."""
    cache.clear()


@pytest.mark.django_db
class TestTheLineOfAGame:
    def test_adds_up_each_half_hour_whether_settled_or_not(self) -> None:
        """22.00 twice at ten past ten, one of them held."""
        open_table()
        ingest(lines(baccarat_round("r-1"), held_baccarat_round("r-2")))

        points = lines_of(DAY, now=TEN_TO_ELEVEN)

        cents = points["Live Baccarat"].cents
        assert (len(cents), sum(cents), cents[44]) == (46, 4400, 4400)

    def test_begins_at_midnight_in_rome(self) -> None:
        """23:30 of the evening before does not count, a quarter past midnight does."""
        open_table()
        evening = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
        ingest(lines(round_at(evening), round_at(evening + timedelta(minutes=45))))

        cents = lines_of(DAY, now=TEN_TO_ELEVEN)["Live Baccarat"].cents

        assert cents[0] > 0
        assert sum(cents[1:]) == 0

    def test_is_cached_for_a_minute(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        """Not computed for each page."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        first = lines_of(DAY, now=TEN_TO_ELEVEN)

        with django_assert_num_queries(0):
            again = lines_of(DAY, now=TEN_TO_ELEVEN)

        assert again == first

    def test_of_an_empty_casino_is_missing(self) -> None:
        """There are no games."""
        assert lines_of(DAY, now=TEN_TO_ELEVEN) == {}


class TestThePoints:
    def test_reach_the_top_at_the_highest_half_hour(self) -> None:
        """From left to right; zero is the baseline."""
        assert StakesLine([0, 50, 100]).points == "0.0,29.0 50.0,15.0 100.0,1.0"

    def test_of_one_half_hour_are_one_point(self) -> None:
        """Just after midnight."""
        assert StakesLine([7]).points == "0.0,1.0"


@pytest.mark.django_db
def test_today_shows_a_tile_with_a_line_for_every_game(supervisor: Client) -> None:
    """With unlocalised numbers."""
    open_table()
    ingest(lines(round_at(timezone.now())))
    settle()
    supervisor.cookies["django_language"] = "it"

    page = supervisor.get("/admin/").content.decode()

    [points] = re.findall(r'<polyline points="([^"]*)"', page)
    assert "<h3>Live Baccarat</h3>" in page
    assert re.fullmatch(r"[0-9. ,]*,1\.0", points), points
