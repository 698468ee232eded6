"""Exact returns of pairs and 21+3, by the settlement's own functions over every deal.

[BJ] Coppie Perfette, 21+3; [MFB] Puntate collaterali; [QB] Coppie, 21+3.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Final

from compliance.certification.returns.card_copies import Copies, chances_of, sort_deals
from compliance.certification.returns.exact_returns import BetReturn, bet_return, payout_of
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

_CARDS_READ: Final[Mapping[Combination, tuple[int, int]]] = MappingProxyType(
    {box_pair: (2, 0), dealer_pair: (0, 2), box_and_upcard: (2, 1)}
)
"""Number of first cards of the box and of the dealer that a bet depends on.

A combination that reads more cards raises an error instead of returning a wrong count.
"""


def side_bet_returns(rules: str, game: BlackjackGame) -> tuple[BetReturn, ...]:
    """The returns of all side bets of the game."""
    return tuple(side_bet_return(rules, bet, decks=game.decks) for bet in game.side_bets)


def side_bet_return(
    rules: str, bet: SideBet, *, decks: int | None, combination: Combination | None = None
) -> BetReturn:
    """The return of a side bet; ``decks`` None means infinitely many.

    ``combination`` replaces that of the rules, for alternative readings.
    """
    cards_read = _CARDS_READ[bet.combination]
    deals = _sorted_openings(combination or bet.combination, cards_read)
    pays = {name: payout_of(odds) for name, odds in bet.pays.items()}
    return bet_return(rules, bet.kind, chances_of(deals, decks=decks), pays)


@cache
def _sorted_openings(
    combination: Combination, cards_read: tuple[int, int]
) -> Counter[tuple[Copies, str]]:
    """All deals of the relevant cards, 52 kinds each."""
    of_box, of_dealer = cards_read

    def combination_of(cards: Sequence[str]) -> str:
        return combination(Opening(cards[:of_box], cards[of_box:]))

    return sort_deals(product(CARDS, repeat=of_box + of_dealer), combination_of)
