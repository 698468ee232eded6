"""Lists of rounds by the time of their receipt, their settlement or their latest change."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from casino.api import pages as lists
from tests.casino.api.rounds.test_list_rounds import names, pages, played
from tests.casino.api.studio import ROUNDS, studio
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import resettle, void

pytestmark = pytest.mark.django_db


def after(minutes: int) -> datetime:
    """A time after the start of the tests."""
    return NOW + timedelta(minutes=minutes)


def query_of(minutes: int) -> str:
    """The same as a value of a query."""
    return after(minutes).isoformat().replace("+00:00", "Z")


def receive(reference: str, minutes: int, **fields: Any) -> None:
    """Delivers a round, the later ones of earlier play."""
    opened = f"2026-11-20T{20 - minutes % 20:02}:00"
    ingest(lines(played(reference, opened, **fields)), at=after(minutes))


@pytest.fixture
def three_rounds() -> None:
    """Received after 1, 3 and 5 minutes, settled after 2 and 4; the last one waits."""
    open_table()
    for number in (1, 2, 3):
        receive(f"r-{number}", 2 * number - 1)
        if number < 3:
            settle(at=after(2 * number))


@pytest.mark.usefixtures("three_rounds")
class TestOrders:
    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("sort=-opened", "123"),
            ("sort=opened", "321"),
            ("sort=received", "123"),
            ("sort=-received", "321"),
            (f"received_since={query_of(3)}", "32"),
            (f"received_since={query_of(3)}&sort=received", "23"),
            (f"received_before={query_of(3)}", "1"),
            (f"received_since={query_of(1)}&received_before={query_of(5)}", "21"),
            (f"received_since={query_of(1)}&opened_before=2026-11-20T16:30:00Z", "3"),
            ("sort=settled", "12"),
            ("sort=-settled", "21"),
            (f"settled_since={query_of(4)}", "2"),
            (f"settled_before={query_of(4)}", "1"),
            (f"settled_since={query_of(1)}&status=void", ""),
            ("sort=changed", "123"),
            (f"changed_since={query_of(4)}", "23"),
            (f"changed_since={query_of(5)}", "3"),
            (f"changed_since={query_of(6)}", ""),
        ],
    )
    def test_a_time_filters_and_orders(self, query: str, expected: str) -> None:
        """From a time on, or before it; without `sort` the newest first."""
        listed = names(pages(studio(), f"{ROUNDS}?{query}"))

        assert "".join(name.removeprefix("r-") for name in listed) == expected

    def test_each_decision_and_a_hold_are_changes(self) -> None:
        """They move a round to the end; the time of its first settlement stays."""
        void("r-1", after=1, at=after(7))
        resettle("r-1", after=2, at=after(9))
        receive("r-4", 8, cards=held_baccarat_round("x")["cards"])
        settle(at=after(10))

        changed = names(pages(studio(), f"{ROUNDS}?changed_since={query_of(4)}"))
        settled = names(pages(studio(), f"{ROUNDS}?sort=settled"))

        assert changed == ["r-2", "r-1", "r-4", "r-3"]  # the last ones at once, by play
        assert settled == ["r-1", "r-2", "r-3"]

    @pytest.mark.parametrize("sort", ["received", "-received", "settled", "-settled"])
    def test_neither_skips_nor_repeats_while_rounds_arrive(self, sort: str) -> None:
        """Two arrive after each page, and one is settled again."""
        settle(at=after(6))
        count: list[None] = []

        def arrive() -> None:
            count.append(None)
            if len(count) < 4:
                ingest(lines(played(f"late-{len(count)}", "2026-11-21T11:00")), at=after(20))
                settle(at=after(20 + len(count)))
                void("r-2", after=1, at=after(21)) if len(count) == 1 else None

        listed = names(pages(studio(), f"{ROUNDS}?sort={sort}", arrive))

        assert len(listed) == len(set(listed))
        earlier = [name for name in listed if not name.startswith("late")]
        assert earlier == sorted(["r-1", "r-2", "r-3"], reverse=sort.startswith("-"))
        assert listed[: len(earlier)] == earlier

    def test_a_round_that_changes_meanwhile_comes_again(self) -> None:
        """The first of them, after it was listed; the last one once, although it changes too."""
        count: list[None] = []

        def change() -> None:
            count.append(None)
            if len(count) == 1:
                void("r-1", after=1, at=after(7))
                settle(at=after(8))

        listed = names(pages(studio(), f"{ROUNDS}?sort=changed", change))

        assert listed == ["r-1", "r-2", "r-1", "r-3"]

    def test_goes_on_where_filters_leave_no_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A page reads so many facts; if none counts, the next page goes on behind them."""
        monkeypatch.setattr(lists, "_MOST_FACTS", 2)
        void("r-1", after=1, at=after(9))

        assert names(pages(studio(), f"{ROUNDS}?sort=changed&status=void")) == ["r-1"]
        assert names(pages(studio(), f"{ROUNDS}?sort=settled&status=void")) == ["r-1"]
        assert names(pages(studio(), f"{ROUNDS}?sort=changed")) == ["r-2", "r-3", "r-1"]
