"""A ruling as text: every fact that it decides, with its name."""

from django.utils.translation import override

from rounds.explanations.ruling_text import bonus_text, multipliers_text, ruling_text
from rounds.rules.facts import Bonus
from rounds.rules.ruling import Ruling

_BONUS = Bonus("mini", (((4, "2"),), ((9, "3"),)), (), "25")


def test_names_every_decided_fact() -> None:
    """Cards with their places, plays and bets by their number from 1."""
    ruling = Ruling(
        cards=(("1", "TH"), ("D", "9S")),
        plays={1: "HS"},
        multipliers=(("8H", "3"),),
        bonus=_BONUS,
        malfunction=True,
        as_dealt=True,
        released=True,
        refunded=frozenset({2, 0}),
    )

    assert ruling_text(ruling).splitlines() == [
        "Cards: Box 1 10♥, Dealer 9♠",
        "Decisions of bet 2: hit, stand",
        "Multiplier cards: 8♥ \N{MULTIPLICATION SIGN}3",
        "Bonus: level mini, 2 spins, multiplier \N{MULTIPLICATION SIGN}25",
        "Round: broken",
        "Shoe, stake limits and reported payouts: not checked",
        "Anomalies on arrival: overridden",
        "Refunded bets: 1, 3",
    ]


def test_says_what_did_not_happen() -> None:
    """No multiplier card, no bonus, no malfunction."""
    ruling = Ruling(multipliers=(), no_bonus=True, malfunction=False)

    assert ruling_text(ruling).splitlines() == [
        "Multiplier cards: none",
        "Bonus: not played",
        "Round: intact",
    ]
    assert (multipliers_text(None), bonus_text(None)) == ("none", "none")


def test_speaks_italian() -> None:
    """A round (*turno*) is masculine."""
    with override("it"):
        assert ruling_text(Ruling(malfunction=False)) == "Turno: integro"
