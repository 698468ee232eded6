"""Returns of bets under the readings of an ambiguous sheet that were not adopted.

The ambiguity register lists each point, its readings and the adopted one. All other rules are as
declared.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.returns.baccarat import coup_bet_return, opening_bet_return
from compliance.certification.returns.certified_returns import INITIAL, STAKED
from compliance.certification.returns.main_bet_readings import main_bet_alternatives
from compliance.certification.returns.side_bets import Combination, side_bet_return
from rounds.rules.ambiguities.ambiguity import Ambiguity, Reading
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.baccarat.bets import CoupBet, perfectly_pairs
from rounds.rules.baccarat.coup import Coup
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.declaration import BlackjackGame
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
from rounds.rules.rule_set import RuleSet


class OtherReading(NamedTuple):
    """The return of a bet under a reading that was not adopted.

    A main bet is played optimally under that reading.
    """

    kind: str
    ambiguity: str
    """The key of the register."""
    reading_index: int
    """Of the reading in the register."""
    basis: str
    """What the return is a share of, as in ``CertifiedReturn``."""
    strategy: str | None
    """How the hands are played (``Play``), None for a bet without decisions."""
    share: Fraction

    @property
    def reading(self) -> Reading:
        """The reading, from the ambiguity register."""
        return self.point.readings[self.reading_index]

    @property
    def point(self) -> Ambiguity:
        """The ambiguous point, from the ambiguity register."""
        return REGISTER[self.ambiguity]


def other_readings(rules: RuleSet) -> Iterator[OtherReading]:
    """Every analysed reading that changes the return of a bet of the rule set."""
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        yield from _of_baccarat(rules.name, game)
    elif isinstance(game, BlackjackGame):
        yield from _of_main(rules.name, game)
        yield from _of_side_bets(rules.name, game)


def _of_main(rules: str, game: BlackjackGame) -> Iterator[OtherReading]:
    for ambiguity, index, play, shares in main_bet_alternatives(rules, game):
        for basis, share in ((INITIAL, shares.per_initial), (STAKED, shares.per_staked)):
            yield OtherReading(MAIN, ambiguity, index, basis, play.value, Fraction(share))


def _of_side_bet(kind: str, ambiguity: str, index: int, share: Fraction) -> OtherReading:
    return OtherReading(kind, ambiguity, index, INITIAL, None, share)


def _of_side_bets(rules: str, game: BlackjackGame) -> Iterator[OtherReading]:
    for bet in game.side_bets:
        for ambiguity, index, combination in ALTERNATIVE_COMBINATIONS.get(bet.combination, ()):
            alternative = side_bet_return(rules, bet, decks=game.decks, combination=combination)
            yield _of_side_bet(bet.kind, ambiguity, index, alternative.rtp)


def _of_baccarat(rules: str, game: BaccaratGame) -> Iterator[OtherReading]:
    for bet in game.bets.values():
        six = coup_bet_return(rules, bet, decks=6).rtp
        yield _of_side_bet(bet.kind, "baccarat-decks", 1, six)
        if bet.kind in ALTERNATIVE_ODDS:
            ambiguity, odds = ALTERNATIVE_ODDS[bet.kind]
            paid = coup_bet_return(rules, bet._replace(pays=odds), decks=game.decks)
            yield _of_side_bet(bet.kind, ambiguity, 1, paid.rtp)
        if bet.wins is perfectly_pairs:
            yield _perfect_pairs_paid_twice(rules, bet, game)


def _perfect_pairs_paid_twice(rules: str, bet: CoupBet, game: BaccaratGame) -> OtherReading:
    """A perfect pair pays twice when both hands have one."""
    once = coup_bet_return(rules, bet, decks=game.decks).rtp
    both = opening_bet_return(rules, bet._replace(wins=both_perfect), decks=game.decks)
    again = both.hit_frequency * Fraction(bet.pays.won, bet.pays.staked)
    return _of_side_bet(bet.kind, "perfect-pair-paid-once", 1, once + again)


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
