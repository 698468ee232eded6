"""Side bets on the opening cards: pairs and three-card poker hands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.cards import RANKS, is_red
from rounds.rules.odds import Odds

PERFECT_PAIR: Final = "perfect-pair"
COLOURED_PAIR: Final = "coloured-pair"
MIXED_PAIR: Final = "mixed-pair"
NO_PAIR: Final = "no-pair"

SUITED_TRIPS: Final = "suited-trips"
STRAIGHT_FLUSH: Final = "straight-flush"
TRIPS: Final = "trips"
STRAIGHT: Final = "straight"
FLUSH: Final = "flush"
NO_COMBINATION: Final = "no-combination"

_RANK: Final = {rank: 1 << number for number, rank in enumerate(RANKS)}
"""A bit for each rank, so that a set of ranks is one number."""
_STRAIGHTS: Final = frozenset(
    {
        _RANK["Q"] | _RANK["K"] | _RANK["A"],
        *[0b111 << lowest for lowest in range(len(RANKS) - 2)],
    }
)


class Opening(NamedTuple):
    """The cards of a box and of the dealer; side bets depend on the first two of each."""

    box: Sequence[str]
    dealer: Sequence[str]


class SideBet(NamedTuple):
    """A side bet: its combinations and their odds."""

    kind: str
    combination: Callable[[Opening], str]
    pays: Mapping[str, Odds]
    """Odds by combination; other combinations lose."""


def box_pair(opening: Opening) -> str:
    """The pair of the box's first two cards."""
    return pair_of(opening.box[0], opening.box[1])


def dealer_pair(opening: Opening) -> str:
    """The pair of the dealer's first two cards."""
    return pair_of(opening.dealer[0], opening.dealer[1])


def box_and_upcard(opening: Opening) -> str:
    """The combination of the box's first two cards and the upcard."""
    return combination_of(opening.box[0], opening.box[1], opening.dealer[0])


def pair_of(first: str, second: str) -> str:
    """The pair of two cards, by rank: a king and a queen are no pair."""
    if first[0] != second[0]:
        return NO_PAIR
    if first == second:
        return PERFECT_PAIR
    return COLOURED_PAIR if is_red(first) == is_red(second) else MIXED_PAIR


def combination_of(first: str, second: str, third: str) -> str:
    """The best combination of three cards. R: an Ace is low in A-2-3 and high in Q-K-A."""
    suited = first[1] == second[1] == third[1]
    if first[0] == second[0] == third[0]:
        return SUITED_TRIPS if suited else TRIPS
    if _RANK[first[0]] | _RANK[second[0]] | _RANK[third[0]] in _STRAIGHTS:
        return STRAIGHT_FLUSH if suited else STRAIGHT
    return FLUSH if suited else NO_COMBINATION
