"""The page of a shoe: its cards and its rounds."""

import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.site.invalid_addresses import NONSENSE
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

_GOLDEN: Final = Path(__file__).parents[3] / "golden" / "mega-fire-blaze.ndjson"
_SHOE: Final = "mfb-3-000213"


def of_the_shoe() -> list[bytes]:
    """The opening and the rounds of a shoe of the recorded feed."""
    return [line for line in _GOLDEN.read_bytes().splitlines() if _SHOE.encode() in line]


def output(line: bytes) -> dict[str, Any]:
    """The document of a line."""
    document: dict[str, Any] = json.loads(line)
    return document


@pytest.fixture
def page(supervisor: Client) -> str:
    """The page of that shoe, with all rounds settled."""
    open_table("mfb-3", "mega-fire-blaze-blackjack/1")
    ingest(of_the_shoe())
    settle()
    return page_html(supervisor.get("/admin/shoe/", {"id": _SHOE}))


def deal_the_same(times: int) -> None:
    """This many rounds of the same five cards from one shoe."""
    open_table()
    rounds = [
        baccarat_round(
            f"r-{number}",
            shoe={"id": "s-1", "drawn": number * 5},
            cards=[["P", "AS"], ["B", "9H"], ["P", "7D"], ["B", "KD"], ["B", "2C"]],
        )
        for number in range(times)
    ]
    ingest(lines(*rounds))


def counts_on(page: str) -> list[int]:
    """The counts of the table, suit by suit."""
    return [int(seen) for seen in re.findall(r'<td class="num[^"]*">(\d+)<small>/8', page)]


class TestTheComposition:
    def test_counts_every_card_that_was_seen(self, page: str) -> None:
        """Burnt face up or dealt, counted from the documents."""
        opening, *rounds = map(output, of_the_shoe())
        cards = [*opening["burnt"], *[card for document in rounds for _, card in document["cards"]]]
        expected = [cards.count(rank + suit) for suit in "SHDC" for rank in "A23456789TJQK"]

        assert counts_on(page) == expected
        assert sum(expected) == len(cards)

    def test_says_how_many_are_left(self, page: str) -> None:
        """Eight decks have 416 cards."""
        figures = re.findall(r'<div class="figure"><dt>([^<]+)</dt><dd>([^<]+)<', page)
        drawn = int(dict(figures)["Cards drawn"])

        assert dict(figures)["Cards remaining"] == str(416 - drawn)

    def test_marks_a_card_that_was_seen_too_often(self, supervisor: Client) -> None:
        """Nine aces of spades from eight decks."""
        deal_the_same(9)

        page = page_html(supervisor.get("/admin/shoe/", {"id": "s-1"}))

        assert "More of these cards were seen than the decks contain" in page
        assert re.findall(r'is-too-many">(\d+)', page) == ["9"] * 5

    @pytest.mark.parametrize(("times", "marked"), [(7, []), (8, ["8"] * 5)])
    def test_marks_a_card_that_was_seen_as_often_as_there_are(
        self, supervisor: Client, times: int, marked: list[str]
    ) -> None:
        """None of it remains."""
        deal_the_same(times)

        page = page_html(supervisor.get("/admin/shoe/", {"id": "s-1"}))

        assert re.findall(r'is-used-up">(\d+)', page) == marked

    def test_has_a_chi_square_test(self, supervisor: Client) -> None:
        """Five cards nine times each, E = 45/52: (405 - 45²/52) / E, by 415 / 371, is 473.2."""
        deal_the_same(9)

        words = plain(supervisor, "/admin/shoe/?id=s-1")

        assert "Chi-square 473.2 on 51 degrees of freedom." in words
        assert "under 0.01 % of shuffled shoes deviate at least this much." in words
        assert "The test is valid for a single evaluation" in words

    def test_has_no_chi_square_test_of_few_cards(self, supervisor: Client) -> None:
        """Twenty cards; 23 are needed."""
        deal_the_same(4)

        words = plain(supervisor, "/admin/shoe/?id=s-1")

        assert "Not enough cards for a chi-square test: at least 23 seen" in words


class TestItsRounds:
    def test_are_listed_newest_first(self, page: str) -> None:
        """With the positions of their cards in the shoe."""
        rounds = [output(line) for line in of_the_shoe()[1:]]
        latest = max(rounds, key=lambda document: document["shoe"]["drawn"])
        first = latest["shoe"]["drawn"] + 1
        last = latest["shoe"]["drawn"] + len(latest["cards"])

        assert page.count('<a class="code"') == len(rounds)
        assert page.index(f"{first}\N{EN DASH}{last}") < page.index("2\N{EN DASH}")

    def test_link_to_it(self, supervisor: Client) -> None:
        """With any characters in its id."""
        open_table()
        ingest(lines(baccarat_round("r-1", shoe={"id": "a b/c&d?é", "drawn": 0})))
        settle()

        round_page = page_html(supervisor.get(page_of("r-1")))

        address = f"/admin/shoe/?id={quote('a b/c&d?é', safe='')}"
        assert address in round_page
        assert supervisor.get(address).status_code == 200

    def test_take_a_constant_number_of_queries(self, supervisor: Client) -> None:
        """One round or fifteen."""
        open_table("mfb-3", "mega-fire-blaze-blackjack/1")
        ingest(of_the_shoe()[:2])
        with CaptureQueriesContext(connection) as few:
            supervisor.get("/admin/shoe/", {"id": _SHOE})
        ingest(of_the_shoe())
        with CaptureQueriesContext(connection) as many:
            supervisor.get("/admin/shoe/", {"id": _SHOE})

        assert len(many) == len(few)


@pytest.mark.parametrize("name", ["s-404", "", *NONSENSE.values()], ids=["unknown", "", *NONSENSE])
def test_an_unknown_shoe_is_not_found(supervisor: Client, name: str) -> None:
    """Also for an invalid id."""
    assert supervisor.get("/admin/shoe/", {"id": name}).status_code == 404
