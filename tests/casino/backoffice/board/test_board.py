"""The board of results (issue 20, point 10).

Each round of ``played`` stakes 22.00 and pays 25.00, on 10 November or days before.
"""

import re
from datetime import timedelta
from typing import Final

import pytest
from django.test import Client

from compliance.monitoring.services.count_hours import count_recent_hours
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.monitoring.watched_tables import MINUTE, played
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at
from tests.payouts.settlement.resettlement_scenarios import void

BOARD = "/admin/board/"
DAYS = "?from=2026-11-09&to=2026-11-10"
LATER: Final = NOON + 10 * MINUTE


@pytest.fixture
def auditor(fresh_casino: str) -> Client:
    """A browser of an auditor; there are two tables."""
    open_table()
    open_table("bac-2")
    return reader(person("auditor"))


def at_second_table() -> None:
    """One round settled and one held, at the second table."""
    settled = dealt("o-1", NOON, table="bac-2")
    arrive(settled, dealt("o-2", NOON + MINUTE, held=True, table="bac-2"))
    settle_at()


class TestTheBoard:
    def test_adds_up_tables_and_days(self, auditor: Client) -> None:
        """Two rounds on each of two days, one of them void, and one at another table."""
        played(2)
        played(2, days_ago=1)
        void("r-1-0", after=1)
        at_second_table()

        words = plain(auditor, BOARD + DAYS)

        assert "bac-1 4 1 0 \N{EN DASH} 88.00 97.00 −9.00" in words
        assert "bac-2 1 0 1 \N{EN DASH} 22.00 25.00 −3.00" in words
        assert "Live Baccarat 5 1 1 \N{EN DASH} 110.00 122.00 −12.00" in words
        assert "Gross win −€12.00" in words

    def test_leaves_other_days_out(self, auditor: Client) -> None:
        """The day before."""
        played(2)
        played(1, days_ago=1)

        words = plain(auditor, f"{BOARD}?from=2026-11-10&to=2026-11-10")

        assert "bac-1 2 0 0 \N{EN DASH} 44.00 50.00 −6.00" in words

    def test_shows_a_table_that_has_held_rounds_only(self, auditor: Client) -> None:
        """Nothing is settled there."""
        arrive(dealt("r-1", NOON, held=True))
        settle_at()

        assert "bac-1 0 0 1 \N{EN DASH} 0.00 0.00 0.00" in plain(auditor, BOARD + DAYS)

    @pytest.mark.parametrize(
        "query",
        [
            "",
            "?from=x&to=y",
            "?from=0001-01-01&to=0001-01-01",
            "?from=2027-01-01",
            "?days=0",
            "?days=9",
        ],
    )
    def test_shows_some_days_for_any_address(self, auditor: Client, query: str) -> None:
        """Today, or nothing."""
        assert "No settled rounds in this period." in plain(auditor, BOARD + query)

    def test_moves_with_the_day(self, auditor: Client) -> None:
        """On a wall as well: the link names a number of days, not dates."""
        latest = auditor.get(f"{BOARD}?days=7").content.decode()
        past = auditor.get(BOARD + DAYS).content.decode()

        assert 'href="?wall=1&amp;days=7"' in latest
        assert 'href="?wall=1&amp;from=2026-11-09&amp;to=2026-11-10"' in past

    def test_covers_a_year_at_most(self, auditor: Client) -> None:
        """The last days of a longer span."""
        words = plain(auditor, f"{BOARD}?from=2020-01-01&to=2026-11-10")

        assert "6 Nov 2025 to 10 Nov 2026" in words

    def test_on_a_wall_refreshes_itself(self, auditor: Client) -> None:
        """And only there."""
        pages = [auditor.get(BOARD + query).content.decode() for query in ("", "?wall=1")]

        found = [re.findall(r'http-equiv="refresh" content="(\d+)"', page) for page in pages]
        assert found == [[], ["30"]]


class TestLatency:
    def test_is_the_time_from_arrival_to_settlement(self, auditor: Client) -> None:
        """Three rounds: one, two and sixteen seconds, to within 9 %."""
        for number, seconds in enumerate((1, 2, 16)):
            arrive(dealt(f"r-{number}", NOON + number * MINUTE), at=LATER)
            settle_at(LATER + timedelta(seconds=seconds))
        count_recent_hours(at=LATER)

        words = plain(auditor, BOARD + DAYS)

        assert "Settled after, median 2.0 s 99 of 100 settled within 16 s" in words
        assert "bac-1 3 0 0 16 s 66.00 75.00" in words


class TestShifts:
    def test_have_their_own_results(self, auditor: Client) -> None:
        """By game; the held round as it is now, and who is not stated last."""
        arrive(
            dealt("r-1", NOON, shift="evening"),
            dealt("r-2", NOON + MINUTE, shift="evening", held=True),
            dealt("r-3", NOON + 2 * MINUTE),
            at=LATER,
        )
        settle_at(LATER + timedelta(seconds=1))
        count_recent_hours(at=LATER)

        words = plain(auditor, BOARD + DAYS)

        assert "evening 1 0 1 1.0 s 22.00 25.00" in words
        assert "Live Baccarat 1 0 1 1.0 s 22.00 25.00" in words
        assert "not stated 1 0 0 1.0 s 22.00 25.00" in words

    def test_are_left_out_if_the_studio_states_none(self, auditor: Client) -> None:
        """A table of one row would say nothing."""
        played(1)
        count_recent_hours(at=LATER)

        assert "By shift" not in plain(auditor, BOARD + DAYS)
