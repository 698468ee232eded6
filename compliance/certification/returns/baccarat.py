"""Exact returns of baccarat over every coup of a fresh shoe: [BAC] Regole, Puntate aggiuntive.

Most bets depend on the number of cards and the points of each hand: they are enumerated over the
point values of up to six cards. Pair bets depend on the cards: they are enumerated over the first
four. The drawing rules and winning conditions are the settlement's own functions.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Final

from compliance.certification.returns.card_copies import ANY_FIRST, Copies, chances_of, sort_deals
from compliance.certification.returns.exact_returns import BetReturn, bet_return, payout_of
from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.baccarat.bets import (
    CoupBet,
    banker_pairs,
    either_pairs,
    perfectly_pairs,
    player_pairs,
)
from rounds.rules.baccarat.coup import BANKER, PLAYER, POINTS, Coup, points_of, read_coup
from rounds.rules.baccarat.judge import PUSH_ON_TIE, BaccaratGame
from rounds.rules.cards import CARDS

MOST_DEALT: Final = 6
"""Deals are counted as ordered deals of six cards, as all published tables count them."""
_DEPEND_ON_CARDS: Final = frozenset({player_pairs, banker_pairs, either_pairs, perfectly_pairs})
_CARD_WORTH: Final = {points: card for card, points in reversed(POINTS.items())}
"""One card of each point value, for functions that take cards."""

Placed = tuple[tuple[str, str], ...]


def baccarat_returns(rules: str, game: BaccaratGame) -> Iterator[BetReturn]:
    """The returns of all bets of the game."""
    return (coup_bet_return(rules, bet, decks=game.decks) for bet in game.bets.values())


def coup_bet_return(rules: str, bet: CoupBet, *, decks: int) -> BetReturn:
    """The return of a bet with this number of decks."""
    if depends_on_cards(bet):
        return opening_bet_return(rules, bet, decks=decks)
    deals = Counter[str]()
    for coup, ways in deals_by_coup(decks).items():
        deals[outcome_of(bet, coup)] += ways
    whole = deals.total()
    return _bet_return(rules, bet, {name: Fraction(ways, whole) for name, ways in deals.items()})


def depends_on_cards(bet: CoupBet) -> bool:
    """Whether the bet depends on the cards of the openings, not only on their points."""
    return bet.wins in _DEPEND_ON_CARDS


def opening_bet_return(rules: str, bet: CoupBet, *, decks: int | None) -> BetReturn:
    """The return of a bet on the first four cards; ``decks`` None means infinitely many."""
    return _bet_return(rules, bet, chances_of(_sorted_openings(bet), decks=decks))


def _bet_return(rules: str, bet: CoupBet, chances: dict[str, Fraction]) -> BetReturn:
    pays = {bet.kind: payout_of(bet.pays), PUSH_ON_TIE: Fraction(1)}
    return bet_return(rules, bet.kind, chances, pays)


def outcome_of(bet: CoupBet, coup: Coup) -> str:
    """The name of the outcome: the reason that the settlement gives."""
    if bet.wins(coup):
        return bet.kind
    return PUSH_ON_TIE if bet.pushes is not None and bet.pushes(coup) else bet.lost


@cache
def _sorted_openings(bet: CoupBet) -> Counter[tuple[Copies, str]]:
    """Player's two cards and Banker's two; only equality counts, so the first card is fixed."""
    deals = product(ANY_FIRST, CARDS, CARDS, CARDS)
    return sort_deals(
        deals, lambda four: outcome_of(bet, _coup_of(tuple(four[:2]), tuple(four[2:])))
    )


@cache
def deals_by_coup(decks: int) -> Counter[Coup]:
    """Number of six-card deals by card count and points of both hands.

    The key is a coup with blank cards.
    """
    deals = Counter[Coup]()
    for coup, ways in _coups(decks):
        deals[_representative(coup)] += ways
    return deals


def _coups(decks: int) -> Iterator[tuple[Coup, int]]:
    """Every coup by the point values of its cards, ignoring the order of a hand's first two."""
    shoe = [0] * 10
    for card in CARDS:
        shoe[POINTS[card]] += decks
    pairs = tuple(combinations_with_replacement(range(10), 2))
    for player, banker in product(pairs, pairs):
        left, ways = list(shoe), 1
        for worth in (*player, *banker):
            ways *= left[worth]
            left[worth] -= 1
        for first, second in (player, banker):
            ways *= 1 if first == second else 2
        if ways:
            yield from _completions(_placed(player, banker), left, ways)


def _completions(cards: Placed, left: list[int], ways: int) -> Iterator[tuple[Coup, int]]:
    """The coups that begin with these cards, each with its number of six-card deals."""
    coup, codes = read_coup(cards)
    if coup is None:
        raise ValueError("a coup begins with four cards")
    if not codes:
        free = MOST_DEALT - len(cards)
        yield coup, ways * perm(sum(left), free)
    elif EXTRA_CARD not in read_coup((*cards, (PLAYER, CARDS[0])))[1]:
        for worth, copies in enumerate(left):
            after = left.copy()
            after[worth] -= 1
            third = (PLAYER, _CARD_WORTH[worth])
            yield from _completions((*cards, third), after, ways * copies)
    else:  # Banker's third card is always the last
        free = perm(sum(left) - 1, MOST_DEALT - len(cards) - 1)
        for worth, copies in enumerate(left):
            yield _coup_of(coup.player, (*coup.banker, _CARD_WORTH[worth])), ways * copies * free


def _placed(player: tuple[int, ...], banker: tuple[int, ...]) -> Placed:
    return (
        *((PLAYER, _CARD_WORTH[worth]) for worth in player),
        *((BANKER, _CARD_WORTH[worth]) for worth in banker),
    )


def _representative(coup: Coup) -> Coup:
    """The coup with its cards blanked."""
    return coup._replace(player=("",) * len(coup.player), banker=("",) * len(coup.banker))


def _coup_of(player: tuple[str, ...], banker: tuple[str, ...]) -> Coup:
    return Coup(player, banker, points_of(player), points_of(banker))
