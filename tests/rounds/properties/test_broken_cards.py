"""A card that is not as it was dealt is never settled in silence.

Changing a card can make another legal round: then it is settled, and its payouts are those of the
other cards. Whether it is one is decided by a second, naive blackjack and baccarat, which share
nothing with the rules. So the statement is exact: a round with an edited card is settled if and
only if the naive dealer could have dealt it so, and then it pays what he would pay.
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
    answer,
    cents,
    legal_rounds,
    money,
    pool_of,
    raise_of,
    seldom,
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
    """A legal round in which one hand is said to have been played otherwise, at its right price."""
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
    """The round with what the naive dealer understands: no side bets, golden chips, reports.

    A player who finished off line becomes one who stayed away: his bets are left out, and where
    that makes the round another one, the naive dealer says so as the rules do.
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
    """What the naive dealers pay, None where the round did not go by its rules."""
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


def settled_payouts(document: Document) -> dict[str, int] | None:
    """What replay pays, None where it holds the round."""
    result = answer(document)
    assert result["status"] in {"settled", "held"}, result
    if result["status"] == "held":
        assert result["anomalies"]
        return None
    return {bet: cents(graded["payout"]) for bet, graded in result["bets"].items()}


@pytest.mark.parametrize("game", NAMES)
class TestTheNaiveDealer:
    """The naive dealer agrees with the rules on unedited rounds."""

    def test_pays_legal_rounds_as_the_rules_do(self, game: str) -> None:
        """Without rounds finished off line."""
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
    """A card is changed, removed, doubled, moved or exchanged."""

    def test_is_settled_only_where_it_makes_another_legal_round(self, game: str) -> None:
        """With the payouts of that round."""

        @given(with_a_broken_card(game))
        @seldom(100)
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_so_however_often_it_is_tried(self, game: str) -> None:
        """The same for very many."""

        @given(with_a_broken_card(game))
        @seldom(repeated(30_000))
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()


@pytest.mark.parametrize("game", FAMILY)
class TestAnotherPlay:
    """Decisions are added, removed or changed."""

    def test_is_settled_only_where_the_cards_allow_it(self, game: str) -> None:
        """With the payout of that play."""

        @given(with_another_play(game))
        @seldom(100)
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_only_so_however_often_it_is_tried(self, game: str) -> None:
        """The same for very many."""

        @given(with_another_play(game))
        @seldom(repeated(30_000))
        def holds(document: Document) -> None:
            assert settled_payouts(document) == naive_payouts(document)

        holds()
