"""Decisions near basic strategy, as published for several decks (dealer stands on soft 17)."""

import pytest

from rounds.simulation.blackjack_rounds.strategy import NOTHING_ELSE, Options, advice, mistake
from rounds.simulation.chance import generator

EVERYTHING = Options(double=True, split=False, zap=False)
PAIR = Options(double=True, split=True, zap=False)


class TestAdvice:
    """The recommended decision."""

    @pytest.mark.parametrize(
        ("cards", "upcard", "letter"),
        [
            ("TS 6D", "TH", "H"),
            ("TS 6D", "6H", "S"),
            ("TS 2D", "2H", "H"),
            ("TS 2D", "4H", "S"),
            ("6S 5D", "KH", "D"),
            ("6S 5D", "AH", "H"),
            ("AS 7D", "9H", "H"),
            ("AS 7D", "6H", "D"),
            ("AS 7D", "2H", "S"),
            ("TS 7D", "AH", "S"),
            ("3S 2D", "6H", "H"),
        ],
    )
    def test_follows_the_published_chart(self, cards: str, upcard: str, letter: str) -> None:
        """Cells that all published charts share."""
        assert advice(cards.split(), upcard, EVERYTHING) == letter

    @pytest.mark.parametrize(
        ("cards", "upcard", "letter"),
        [
            ("8S 8D", "TH", "P"),
            ("AS AD", "AH", "P"),
            ("KS TD", "6H", "S"),
            ("9S 9D", "7H", "S"),
            ("9S 9D", "9H", "P"),
            ("5S 5D", "6H", "D"),
        ],
    )
    def test_splits_the_published_pairs(self, cards: str, upcard: str, letter: str) -> None:
        """Eights and Aces always, tens and fives never."""
        assert advice(cards.split(), upcard, PAIR) == letter

    def test_hits_or_stands_if_it_may_not_double(self) -> None:
        """A double that is not allowed becomes a hit, on soft 18 a stand."""
        assert advice(["6S", "5D"], "6H", NOTHING_ELSE) == "H"
        assert advice(["AS", "7D"], "6H", NOTHING_ELSE) == "S"

    def test_zaps_the_stiff_hands(self) -> None:
        """[ZAP] Istruzioni: hard 15 to 18 may be exchanged; 18 stands against a six."""
        zap = Options(double=True, split=False, zap=True)

        assert advice(["TS", "6D"], "6H", zap) == "Z"
        assert advice(["TS", "8D"], "6H", zap) == "S"


class TestMistake:
    """A deviation from the recommended decision."""

    def test_is_a_legal_decision(self) -> None:
        """On 12 and on 20."""
        rng = generator("mistakes")

        letters = {mistake(rng, total=12, options=EVERYTHING) for _ in range(200)}
        on_twenty = {mistake(rng, total=20, options=PAIR) for _ in range(200)}

        assert letters == set("SHD")
        assert on_twenty == set("SP")
