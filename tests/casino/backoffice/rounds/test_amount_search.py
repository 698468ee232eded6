"""Searching rounds by an amount: of the round, or of one of its bets."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.backoffice.site.keyset_paging import SIZE
from rounds.models import Round
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at, shown
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, lines
from tests.payouts.settlement.resettlement_scenarios import void
from tests.rounds.contract.by_hand import bet, deal

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def round_of(minute: int, *stakes: str, **fields: object) -> dict[str, Any]:
    """A round at this minute after noon; Player wins, so stakes on it pay double."""
    opened = NOON + timedelta(minutes=minute)
    placed = f"{opened + timedelta(seconds=5):%Y-%m-%dT%H:%M:%SZ}"
    dealt = round_at(opened, **fields)
    dealt["bets"] = [
        baccarat_bet(f"b{number}", "player", stake, placed_at=placed)
        for number, stake in enumerate(stakes)
    ]
    return dealt


def minutes_of_found_rounds(supervisor: Client, **requested: str) -> list[str]:
    """The minutes of the rounds that a search lists."""
    names = shown(supervisor.get(LIST, requested))
    return [name.removeprefix("r-20-12").removesuffix("00") for name in names]


@pytest.fixture
def played(supervisor: Client) -> Client:
    """By minute: 210 staked by three, by one; paid to one, to two; another amount."""
    open_table()
    ingest(
        lines(
            round_of(1, "100.00", "100.00", "10.00"),
            round_of(2, "210.00", "5.00"),
            round_of(3, "105.00", "3.00"),
            round_of(4, "55.00", "50.00"),
            round_of(5, "209.99", "210.01"),
        )
    )
    settle()
    return supervisor


class TestAnAmount:
    def test_finds_what_was_staked_or_paid_by_a_round_or_by_a_bet(self, played: Client) -> None:
        """Minutes 1 and 4 by totals, minutes 2 and 3 by a bet."""
        assert minutes_of_found_rounds(played, amount="210.00") == ["04", "03", "02", "01"]

    @pytest.mark.parametrize("text", ["210,00", "210.00", "€ 210", "210,00 €"])
    def test_is_known_in_the_box_that_searches_for_everything(
        self, played: Client, text: str
    ) -> None:
        """The search field of every page recognises amounts."""
        assert minutes_of_found_rounds(played, q=text) == ["04", "03", "02", "01"]

    def test_finds_a_bet_by_its_stake_before_and_after_it_was_raised(
        self, supervisor: Client
    ) -> None:
        """A doubled 10.00 is found by 10 and by 20, its payout by 40."""
        open_table("bj-1", "blackjack/1")
        doubled = bet("b1", stake="10.00", raised="10.00", play="D")
        ingest(lines(deal("1:5H D:6S 1:6D D:TC 1:9S D:2D", doubled, table="bj-1")))
        settle()

        amounts = ("10.00", "20.00", "30.00", "40.00")
        assert [minutes_of_found_rounds(supervisor, amount=amount) for amount in amounts] == [
            ["r-1"],
            ["r-1"],
            [],
            ["r-1"],
        ]

    def test_finds_what_a_round_paid_before_it_was_settled_again(self, played: Client) -> None:
        """Minute 4 paid 210.00, then as a void 105.00."""
        void("r-20-120400", after=1)

        assert "04" in minutes_of_found_rounds(played, amount="210.00")
        assert "04" in minutes_of_found_rounds(played, amount="105.00")

    def test_is_shown_once_where_two_settlements_paid_it(self, supervisor: Client) -> None:
        """A push and a void pay the same."""
        open_table()
        tie = [["P", "4S"], ["B", "4H"], ["P", "5D"], ["B", "5C"]]
        ingest(lines(round_of(1, "7.00", cards=tie)))
        settle()
        void("r-20-120100", after=1)

        assert minutes_of_found_rounds(supervisor, amount="7.00") == ["01"]

    @pytest.mark.parametrize("text", ["abc", "-210", "2.10.00"])
    def test_that_is_none_is_explained(self, played: Client, text: str) -> None:
        """It is not searched as 0.00."""
        response = played.get(LIST, {"amount": text})

        assert (response.status_code, shown(response)) == (200, [])
        assert f"Found “{text}”; expected: an amount such as 210.00" in page_html(response)
        assert "Rounds whose total stakes" not in page_html(response)

    @pytest.mark.parametrize("text", ["0", "0.00", "999999999999999"])
    def test_of_no_round_finds_nothing(self, played: Client, text: str) -> None:
        """A clear answer for any amount."""
        response = played.get(LIST, {"amount": text})

        assert (response.status_code, shown(response)) == (200, [])
        assert "expected" not in page_html(response)

    def test_keeps_to_table_days_and_status(self, played: Client) -> None:
        """The search combines with the filters."""
        open_table("bac-2")
        ingest(lines(round_of(24 * 60, "210.00", table="bac-2")))

        assert shown(played.get(LIST, {"amount": "210", "table": "bac-2"})) == ["r-21-120000"]
        assert shown(played.get(LIST, {"amount": "210", "from": "2026-11-21"})) == ["r-21-120000"]
        assert shown(played.get(LIST, {"amount": "210", "status": "waiting"})) == ["r-21-120000"]
        assert minutes_of_found_rounds(played, amount="210", to="2026-11-20") == [
            "04",
            "03",
            "02",
            "01",
        ]


class TestTheList:
    def test_says_which_bets_were_searched(self, played: Client) -> None:
        """Eleven bets, back to the oldest round."""
        page = page_html(played.get(LIST, {"amount": "210,00"}))

        assert "Rounds whose total stakes or payout are €210.00" in page
        assert "searched in all 11 bets, back to 20 Nov, 13:01:00" in page

    def test_goes_on_with_earlier_bets(
        self, played: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two rounds at a time: the bets of minutes 3 and 2 are searched after those of 5 and 4."""
        monkeypatch.setattr("payouts.settlement.amount_search.MOST_ROUNDS", 2)

        latest = played.get(LIST, {"amount": "210"})
        earlier = played.get(LIST + _earlier_bets(latest))

        assert "searched in 2 rounds with 4 bets, back to 20 Nov, 13:04:00" in page_html(latest)
        assert shown(latest) == ["r-20-120400", "r-20-120100"]
        assert "searched in 2 rounds with 4 bets, back to 20 Nov, 13:02:00" in page_html(earlier)
        assert shown(earlier) == ["r-20-120300", "r-20-120200", "r-20-120100"]

    def test_is_paginated_without_gaps(self, supervisor: Client) -> None:
        """70 rounds found by totals and by bets."""
        open_table()
        ingest(
            lines(
                *[
                    round_of(minute, *(["210.00"] if minute % 2 else ["210.00", "1.00"]))
                    for minute in range(70)
                ]
            )
        )
        settle()

        first = supervisor.get(LIST, {"amount": "210"})
        older = _link(first, "next")
        ingest(lines(round_of(80, "210.00")))
        second = supervisor.get(LIST + older)
        back = supervisor.get(LIST + _link(second, "prev"))

        newest_first = list(Round.objects.order_by("-id").values_list("reference", flat=True))[1:]
        assert len(shown(first)) == SIZE
        assert shown(first) + shown(second) == newest_first
        assert shown(back) == shown(first)
        assert "amount=210" in older

    def test_takes_a_constant_number_of_queries(self, played: Client) -> None:
        """For few rounds and for many."""
        with CaptureQueriesContext(connection) as few:
            played.get(LIST, {"amount": "210"})

        ingest(lines(*[round_of(10 + minute, "210.00") for minute in range(60)]))
        settle()
        with CaptureQueriesContext(connection) as many:
            played.get(LIST, {"amount": "210"})

        assert len(many) == len(few)

    def test_is_italian(self, played: Client) -> None:
        """The note included."""
        played.cookies["django_language"] = "it"

        page = page_html(played.get(LIST, {"q": "210,00"}))

        assert "210,00\N{NO-BREAK SPACE}€" in page
        assert "Importo puntato o pagato" in page


def _earlier_bets(response: Any) -> str:
    link = re.search(r'href="([^"]+)">Search earlier bets<', page_html(response))
    assert link is not None
    return link[1].replace("&amp;", "&")


def _link(response: Any, rel: str) -> str:
    link = re.search(rf'rel="{rel}" href="([^"]+)"', page_html(response))
    assert link is not None
    return link[1].replace("&amp;", "&")
