"""What readings that were not adopted change in a rule set: declaration, combinations or odds.

The ambiguity register has each point and its readings. Nothing is computed here, so that pages can
name these readings without the analyses of returns.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from compliance.certification.returns.side_bets import Combination
from rounds.rules.baccarat.coup import Coup
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.games.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.games.zappit import ZAPPIT_BLACKJACK_1
from rounds.rules.blackjack.side_bets import (
    FLUSH,
    NO_COMBINATION,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    Opening,
    box_and_upcard,
    box_pair,
    dealer_pair,
)
from rounds.rules.odds import Odds

ReadingKey = tuple[str, int]
"""The key of the ambiguity register, and the index of the reading."""
GameChange = Callable[[BlackjackGame], BlackjackGame]


def _looks_under_both(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ten=game.under_ace)


def _never_looks(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ace=game.under_ten)


def _does_not_look_under_ten(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ten=game.under_ten._replace(looked_at=False))


def _does_not_look(game: BlackjackGame) -> BlackjackGame:
    return _never_looks(_does_not_look_under_ten(game))


def _stands_on_soft_17(game: BlackjackGame) -> BlackjackGame:
    return replace(game, hits_soft_17=False)


def _no_double_after_split(game: BlackjackGame) -> BlackjackGame:
    return replace(game, double_after_split=False)


DECLARED_CHANGES: Final[Mapping[str, Mapping[ReadingKey, GameChange]]] = {
    BLACKJACK_1.name: {
        ("look-under-ten", 1): _looks_under_both,
        ("look-under-ten", 2): _never_looks,
    },
    QUANTUM_BLACKJACK_1.name: {("soft-seventeen", 1): _stands_on_soft_17},
    ZAPPIT_BLACKJACK_1.name: {
        ("zappit-looks", 1): _does_not_look_under_ten,
        ("zappit-looks", 2): _does_not_look,
        ("double-after-split", 1): _no_double_after_split,
    },
}
"""By rule set, the readings that a changed declaration expresses."""


def both_perfect(coup: Coup) -> bool:
    """Whether both hands have a perfect pair."""
    return coup.player[0] == coup.player[1] and coup.banker[0] == coup.banker[1]


ALTERNATIVE_ODDS: Final[Mapping[str, tuple[str, Odds]]] = {
    "tie": ("tie-nine-for-one", Odds(9, 1)),
    "banker": ("banker-commission", Odds(9, 10)),
}
"""By kind of bet at baccarat, the ambiguity and the odds by its second reading."""


def as_ten(card: str) -> str:
    """The card by its value: jack, queen and king are tens."""
    return f"T{card[1]}" if card[0] in "JQK" else card


def _pair_by_value(combination: Combination) -> Combination:
    """Pairs with ten, jack, queen and king as one rank."""

    def combination_of(opening: Opening) -> str:
        box, dealer = opening
        return combination(Opening([as_ten(c) for c in box], [as_ten(c) for c in dealer]))

    return combination_of


def without_straight(ranks: str) -> Combination:
    """21+3 in which these ranks are no straight."""

    def combination_of(opening: Opening) -> str:
        known = box_and_upcard(opening)
        if _ranks(opening) == set(ranks):
            return {STRAIGHT_FLUSH: FLUSH, STRAIGHT: NO_COMBINATION}[known]
        return known

    return combination_of


def _king_between(opening: Opening) -> str:
    """21+3 in which K-A-2 is a straight as well."""
    known = box_and_upcard(opening)
    if _ranks(opening) == set("KA2"):
        return {FLUSH: STRAIGHT_FLUSH, NO_COMBINATION: STRAIGHT}[known]
    return known


def _of_three_suits(opening: Opening) -> str:
    """21+3 in which straights and trips need three suits."""
    known = box_and_upcard(opening)
    if known in {STRAIGHT, TRIPS} and len({card[1] for card in _three(opening)}) < len("SHD"):
        return NO_COMBINATION
    return known


def _ranks(opening: Opening) -> set[str]:
    return {card[0] for card in _three(opening)}


def _three(opening: Opening) -> tuple[str, ...]:
    return (*opening.box[:2], opening.dealer[0])


ALTERNATIVE_COMBINATIONS: Final[
    dict[Callable[[Opening], str], tuple[tuple[str, int, Combination], ...]]
] = {
    box_pair: (("rank-or-value", 1, _pair_by_value(box_pair)),),
    dealer_pair: (("rank-or-value", 1, _pair_by_value(dealer_pair)),),
    box_and_upcard: (
        ("straight-ace", 1, without_straight("QKA")),  # A-2-3 is as frequent
        ("straight-ace", 2, _king_between),
        ("different-suits", 1, _of_three_suits),
    ),
}
"""By the combination of the rules, those of other readings: ambiguity, index and combination."""
