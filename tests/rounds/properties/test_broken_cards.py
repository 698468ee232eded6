"""A round with an edited card is settled only if the edited round is legal as well.

Changing a card can make another legal round: it is settled with the payouts of its cards. A
second, naive blackjack and baccarat, which share nothing with the rules, decide whether it is
legal. So a round with an edited card is settled if and only if the naive dealer could have dealt
it, and it pays what the naive dealer pays.
"""

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repetitions import repeated
from tests.rounds.properties import naive_baccarat
from tests.rounds.properties.broken_documents import edited
from tests.rounds.properties.naive_blackjack import Anomalous, Deal
from tests.rounds.properties.naive_voids import is_void
from tests.rounds.properties.simulated import (
    FAMILY,
    NAMES,
    Document,
    cents,
    legal_rounds,
    money,
    pool_of,
    property_settings,
    raise_of,
    settled_payouts,
    unreported,
)

ASIDE: Final = {
    "insurance",
    "perfect_pairs",
    "player_pair",
    "dealer_pair",
    "21+3",
    "mega_fire_blaze",
}


@st.composite
def with_a_broken_card(draw: st.DrawFn, game: str) -> Document:
    """A legal round of main bets in cash whose cards were edited once."""
    document = plain(draw(legal_rounds(game)))
    return document | {"cards": edited(draw, document["cards"])}


@st.composite
def with_another_play(draw: st.DrawFn, game: str) -> Document:
    """A legal round in which one hand has another play, with the right raise."""
    document = plain(draw(legal_rounds(game)))
    owners = [bet for bet in document["bets"] if bet["kind"] == "main" and not bet.get("behind")]
    own: Document = draw(st.sampled_from(owners or [{"box": 0}]))
    before, split, after = [draw(st.text("HSDZ", max_size=2)) for _ in range(3)]
    own["play"] = draw(st.sampled_from([before, split, f"P{split},{after}", f"{before}P,"]))
    for bet in document["bets"]:
        if bet is own or (
            bet.get("behind") and bet.get("follows", True) and bet["box"] == own["box"]
        ):
            times = own["play"].count("D") + own["play"].count("P")
            bet["raised"] = money(cents(bet["stake"]) * times)
    return document


def plain(document: Document) -> Document:
    """The round reduced to what the naive dealer understands: no side bets, chips, reports.

    Bets of a player who finished off line are left out. Where that makes the round illegal, the
    naive dealer and the rules have to agree that it is.
    """
    off_line = {entry["player"] for entry in document.get("disconnects", []) if entry.get("cards")}
    bets = [
        {name: value for name, value in bet.items() if name != "funding"}
        for bet in unreported(document)["bets"]
        if bet["kind"] not in ASIDE or document["rules"] == "baccarat/1"
        if bet["player"] not in off_line
    ]
    entries = [entry for entry in document.get("disconnects", []) if "cards" not in entry]
    remaining = {
        name: value for name, value in document.items() if name not in {"bonus", "disconnects"}
    }
    for entry in entries:
        entry.pop("cards_seen", None)
    return remaining | {"bets": bets} | ({"disconnects": entries} if entries else {})


def naive_payouts(document: Document) -> dict[str, int] | None:
    """The payouts of the naive dealers, None for an illegal round."""
    try:
        if document["rules"] == "baccarat/1":
            return naive_baccarat.pay_all(document)
        deal = Deal(document)
        deal.play()
    except Anomalous:
        return None
    return {
        bet["id"]: cents(bet["stake"]) + raise_of(bet) if is_void(document, bet) else deal.pay(bet)
        for bet in document["bets"]
    }


@pytest.mark.parametrize("game", NAMES)
class TestTheNaiveDealer:
    """The naive dealer agrees with the rules on unedited rounds."""

    def test_pays_legal_rounds_as_the_rules_do(self, game: str) -> None:
        """Rounds with hands finished off line have their own test."""
        rounds = [json.loads(line) for line in pool_of(game)]
        whole = [
            document for document in rounds if "cards" not in str(document.get("disconnects", []))
        ]

        paid = [naive_payouts(plain(document)) for document in whole]

        assert len(whole) > 250
        assert None not in paid
        assert paid == [settled_payouts(plain(document)) for document in whole]


@pytest.mark.parametrize("game", NAMES)
class TestABrokenCard:
    """A card is changed, removed, duplicated, moved or swapped."""

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_if_the_edited_round_is_legal(self, game: str) -> None:
        """With the payouts of that round."""

        @given(with_a_broken_card(game))
        @property_settings(repeated(30_000))
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()


@pytest.mark.parametrize("game", FAMILY)
class TestAnotherPlay:
    """Decisions are added, removed or changed."""

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_if_the_cards_allow_it(self, game: str) -> None:
        """With the payout of that play."""

        @given(with_another_play(game))
        @property_settings(repeated(30_000))
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()
