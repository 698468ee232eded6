"""Edited hands finished off line are settled only if the naive dealer could have dealt them.

As ``test_broken_cards``, with edits of the live cards, of the player's own cards, of the number
of cards seen and of the play.
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
    cents,
    money,
    pool_of,
    property_settings,
    settled_payouts,
    unreported,
)

GAMES: Final = ("mega-fire-blaze", "quantum")
DEALT: Final = 4_000


@cache
def off_line_rounds(game: str) -> tuple[str, ...]:
    """Simulated rounds with a hand finished off line: main bets in cash, nothing reported."""
    return tuple(
        json.dumps(plain(json.loads(line)))
        for line in pool_of(game, seed="off line", rounds=DEALT)
        if '"cards_seen"' in line
        and any("cards" in disconnect for disconnect in disconnects_of(json.loads(line)))
    )


def disconnects_of(document: Document) -> list[Document]:
    """The disconnects of a round."""
    return list(document.get("disconnects", []))


def plain(document: Document) -> Document:
    """The round without side bets, insurance and bonus, with chips as cash."""
    bets = [
        {name: value for name, value in bet.items() if name != "funding"}
        for bet in unreported(document)["bets"]
        if bet["kind"] == "main"
    ]
    return {name: value for name, value in document.items() if name != "bonus"} | {"bets": bets}


@st.composite
def edited_rounds(draw: st.DrawFn, game: str) -> Document:
    """A round with a hand finished off line and one random edit."""
    document: Document = json.loads(draw(st.sampled_from(off_line_rounds(game))))
    entry = next(disconnect for disconnect in disconnects_of(document) if "cards" in disconnect)
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
            change_own_play(draw, document, entry)
    for disconnect in disconnects_of(document):
        if "cards_seen" in disconnect:
            disconnect["cards_seen"] = min(disconnect["cards_seen"], len(document["cards"]))
    return document


def change_own_play(draw: st.DrawFn, document: Document, entry: Document) -> None:
    """Gives one of the player's hands another play, with the right raise."""
    own = draw(st.sampled_from([b for b in document["bets"] if b["player"] == entry["player"]]))
    first, second = draw(st.text("HSD", max_size=2)), draw(st.text("HSD", max_size=2))
    own["play"] = draw(st.sampled_from([first, f"P{first},{second}"]))
    own["raised"] = money(cents(own["stake"]) * sum(own["play"].count(letter) for letter in "DP"))


def naive_payouts(document: Document) -> dict[str, int] | None:
    """The payouts of the naive dealer, None for an illegal round."""
    try:
        return naive_off_line.pay_all(document)
    except Anomalous:
        return None


@pytest.mark.parametrize("game", GAMES)
class TestAHandFinishedOffLine:
    """At the two tables that finish hands off line."""

    @pytest.mark.slow
    def test_is_paid_as_the_naive_dealer_pays_it(self, game: str) -> None:
        """Unedited rounds."""
        rounds = [json.loads(line) for line in off_line_rounds(game)]

        paid = [naive_payouts(document) for document in rounds]

        assert len(rounds) > 80
        assert None not in paid
        assert paid == [settled_payouts(document) for document in rounds]

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_if_the_edited_round_is_legal(self, game: str) -> None:
        """Live cards, own cards, cards seen, or the play is edited."""

        @given(edited_rounds(game))
        @property_settings(repeated(40_000))
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()
