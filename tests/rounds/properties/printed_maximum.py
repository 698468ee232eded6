"""The most that the printed sheets let a bet pay, stake included, with any cards.

[BJ] Vincite: 3:2, 1:1, insurance 2:1, pairs 25:1, 21+3 100:1. [MFB] Table dei pagamenti, and the
bonus 999:1. [QB] the same, a win times the sum of the round's multiplier cards. [ZAP] Pagamenti.
[BAC] Regole del baccarat, Puntate aggiuntive.
"""

from fractions import Fraction
from math import ceil
from typing import Final

from tests.rounds.properties.simulated import Document, cents, raise_of

_TO_ONE: Final = {
    "insurance": Fraction(2),
    "perfect_pairs": Fraction(25),
    "dealer_pair": Fraction(25),
    "player_pair": Fraction(25),
    "21+3": Fraction(100),
    "mega_fire_blaze": Fraction(999),
    "player": Fraction(1),
    "banker": Fraction(95, 100),
    "tie": Fraction(8),
    "banker_pair": Fraction(11),
    "either_pair": Fraction(5),
    "perfect_pair": Fraction(25),
    "big": Fraction(54, 100),
    "small": Fraction(3, 2),
}
_AT_BACCARAT: Final = _TO_ONE | {"player_pair": Fraction(11)}
_HANDS: Final = 2
"""A split makes two, each rounded once."""


def most_paid(document: Document, bet: Document) -> int:
    """The maximum credit of a bet of the document, in cents; a void bet gets its whole stake."""
    stake, raised = cents(bet["stake"]), raise_of(bet)
    if bet["kind"] == "main":
        factor = sum(Fraction(value) for value in document.get("multipliers", {}).values())
        blackjack = stake * Fraction(3, 2) * max(factor, 1) + (0 if factor else stake)
        split_or_doubled = (stake + raised) * max(factor, 2)
        return max(ceil(blackjack), ceil(split_or_doubled) + _HANDS, ceil(stake * Fraction(5, 2)))
    odds = _AT_BACCARAT if document["rules"] == "baccarat/1" else _TO_ONE
    return ceil(stake * (1 + odds[bet["kind"]]))
