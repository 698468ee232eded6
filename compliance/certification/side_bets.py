"""Pairs and 21+3: every deal of the cards that they see, sorted by the settlement's own functions.

[BJ] Coppie Perfette, 21+3; [MFB] Puntate collaterali; [QB] Coppie, 21+3.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final

from compliance.certification.copies import Copies, chances_of, sort_deals
from compliance.certification.exact import BetReturn, bet_return, payout_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.side_bets import (
    Opening,
    SideBet,
    box_and_upcard,
    box_pair,
    dealer_pair,
)
from rounds.rules.cards import CARDS

Combination = Callable[[Opening], str]

_SEES: Final[Mapping[Combination, tuple[int, int]]] = MappingProxyType(
    {box_pair: (2, 0), dealer_pair: (0, 2), box_and_upcard: (2, 1)}
)
"""How many of the first cards of the box and of the dealer a bet looks at.

One that looks at more finds no card there, so nothing can be counted too little in silence.
"""


def side_bet_returns(rules: str, game: BlackjackGame) -> tuple[BetReturn, ...]:
    """The returns of all side bets that the game declares."""
    return tuple(side_bet_return(rules, bet, decks=game.decks) for bet in game.side_bets)


def side_bet_return(
    rules: str, bet: SideBet, *, decks: int | None, combination: Combination | None = None
) -> BetReturn:
    """The return of a side bet with so many decks (None: endlessly many).

    ``combination`` sees the cards in another way than the rules do, for what other readings give.
    """
    sees = _SEES[bet.combination]
    deals = _sorted_openings(combination or bet.combination, sees)
    pays = {name: payout_of(odds) for name, odds in bet.pays.items()}
    return bet_return(rules, bet.kind, chances_of(deals, decks=decks), pays)


@cache
def _sorted_openings(
    combination: Combination, sees: tuple[int, int]
) -> Counter[tuple[Copies, str]]:
    """All ways to deal the cards that are seen, 52 kinds for each."""
    of_box, of_dealer = sees

    def seen(cards: Sequence[str]) -> str:
        return combination(Opening(cards[:of_box], cards[of_box:]))

    return sort_deals(product(CARDS, repeat=of_box + of_dealer), seen)
