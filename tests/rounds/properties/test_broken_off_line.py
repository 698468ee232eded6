"""Hands finished off line are settled where the naive dealer could have dealt them so, only there.

As ``test_broken_cards``, with edits of the live cards, of the player's own, of how many he had seen
and of how he played.
"""

import json
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repetitions import repeated
from tests.rounds.properties import naive_off_line
from tests.rounds.properties.broken_documents import CARDS, edited
from tests.rounds.properties.naive_blackjack import Anomalous
from tests.rounds.properties.simulated import (
    Document,
    answer,
    cents,
    money,
    pool_of,
    seldom,
    unreported,
)

GAMES: Final = ("mega-fire-blaze", "quantum")
DEALT: Final = 4_000


@cache
def off_line_rounds(game: str) -> tuple[str, ...]:
    """Simulated rounds in which somebody finished off line: main bets in cash, nothing reported."""
    return tuple(
        json.dumps(plain(json.loads(line)))
        for line in pool_of(game, seed="off line", rounds=DEALT)
        if '"cards_seen"' in line and any("cards" in leaver for leaver in leavers(json.loads(line)))
    )


def leavers(document: Document) -> list[Document]:
    """Who lost the connection."""
    return list(document.get("disconnects", []))


def plain(document: Document) -> Document:
    """The round without side bets, insurance and bonus, its chips being cash."""
    bets = [
        {name: value for name, value in bet.items() if name != "funding"}
        for bet in unreported(document)["bets"]
        if bet["kind"] == "main"
    ]
    return {name: value for name, value in document.items() if name != "bonus"} | {"bets": bets}


@st.composite
def edited_rounds(draw: st.DrawFn, game: str) -> Document:
    """A round in which a player finished off line, and one thing is other than it was."""
    document: Document = json.loads(draw(st.sampled_from(off_line_rounds(game))))
    entry = next(leaver for leaver in leavers(document) if "cards" in leaver)
    match draw(st.sampled_from(["live", "own", "own", "later", "seen", "play"])):
        case "live":
            document["cards"] = edited(draw, document["cards"])
        case "own":
            entry["cards"] = edited(draw, entry["cards"])
        case "later":  # the table's dealer dealt on to somebody who was gone
            place = draw(st.sampled_from([place for place, _ in entry["cards"]]))
            document["cards"].append([place, draw(st.sampled_from(CARDS))])
        case "seen":
            entry["cards_seen"] = draw(st.integers(0, len(document["cards"])))
        case _:
            replay_own_hand(draw, document, entry)
    for leaver in leavers(document):
        if "cards_seen" in leaver:
            leaver["cards_seen"] = min(leaver["cards_seen"], len(document["cards"]))
    return document


def replay_own_hand(draw: st.DrawFn, document: Document, entry: Document) -> None:
    """Says that one of the player's hands was played otherwise, at its right price."""
    own = draw(st.sampled_from([b for b in document["bets"] if b["player"] == entry["player"]]))
    first, second = draw(st.text("HSD", max_size=2)), draw(st.text("HSD", max_size=2))
    own["play"] = draw(st.sampled_from([first, f"P{first},{second}"]))
    own["raised"] = money(cents(own["stake"]) * sum(own["play"].count(letter) for letter in "DP"))


def naive(document: Document) -> dict[str, int] | None:
    """What the naive dealer pays, None where the round did not go by its rules."""
    try:
        return naive_off_line.pay_all(document)
    except Anomalous:
        return None


def settled(document: Document) -> dict[str, int] | None:
    """What replay pays, None where it holds the round."""
    output = answer(document)
    assert output["status"] in {"settled", "held"}, output
    if output["status"] == "held":
        return None
    return {bet: cents(graded["payout"]) for bet, graded in output["bets"].items()}


@pytest.mark.parametrize("game", GAMES)
class TestAHandFinishedOffLine:
    """At the two tables that have the rule."""

    def test_is_paid_as_the_naive_dealer_pays_it(self, game: str) -> None:
        """As it was dealt."""
        rounds = [json.loads(line) for line in off_line_rounds(game)]

        paid = [naive(document) for document in rounds]

        assert len(rounds) > 80
        assert None not in paid
        assert paid == [settled(document) for document in rounds]

    def test_with_something_changed_is_settled_only_where_it_could_be_so(self, game: str) -> None:
        """Live cards, own cards, what was seen, what was played."""

        @given(edited_rounds(game))
        @seldom(120)
        def holds(document: Document) -> None:
            assert settled(document) == naive(document)

        holds()

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_so_however_often_it_is_tried(self, game: str) -> None:
        """The same for very many."""

        @given(edited_rounds(game))
        @seldom(repeated(40_000))
        def holds(document: Document) -> None:
            assert settled(document) == naive(document)

        holds()
