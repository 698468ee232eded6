"""What bets would return if an unclear point of their sheet were read in another way.

The ambiguity register tells each point, its readings and the one adopted; here stands what the
others are worth. Everything else stays as the rule set declares it.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.baccarat import coup_bet_return, opening_bet_return
from compliance.certification.certified import INITIAL, STAKED
from compliance.certification.main_otherwise import main_otherwise
from compliance.certification.side_bets import Combination, side_bet_return
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
    """A reading that was not adopted, and what a bet would return under it.

    A main bet is played as well as it can be under that reading.
    """

    kind: str
    ambiguity: str
    """The key of the register."""
    reading_index: int
    """Of the reading in the register."""
    basis: str
    """What the return is a share of, as in ``Certified``."""
    strategy: str | None
    """How the hands are played (``Play``), None for a bet without decisions."""
    share: Fraction

    @property
    def reading(self) -> Reading:
        """The reading as the register words it."""
        return self.point.readings[self.reading_index]

    @property
    def point(self) -> Ambiguity:
        """The unclear point, as the register tells it."""
        return REGISTER[self.ambiguity]


def other_readings(rules: RuleSet) -> Iterator[OtherReading]:
    """All of them that change what a bet of the rule set returns, as far as they are analysed."""
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        yield from _of_baccarat(rules.name, game)
    elif isinstance(game, BlackjackGame):
        yield from _of_main(rules.name, game)
        yield from _of_side_bets(rules.name, game)


def _of_main(rules: str, game: BlackjackGame) -> Iterator[OtherReading]:
    for ambiguity, index, play, shares in main_otherwise(rules, game):
        for basis, share in ((INITIAL, shares.per_initial), (STAKED, shares.per_staked)):
            yield OtherReading(MAIN, ambiguity, index, basis, play.value, Fraction(share))


def _of_side_bet(kind: str, ambiguity: str, index: int, share: Fraction) -> OtherReading:
    return OtherReading(kind, ambiguity, index, INITIAL, None, share)


def _of_side_bets(rules: str, game: BlackjackGame) -> Iterator[OtherReading]:
    for bet in game.side_bets:
        for ambiguity, index, combination in _SEEN_OTHERWISE.get(bet.combination, ()):
            seen = side_bet_return(rules, bet, decks=game.decks, combination=combination)
            yield _of_side_bet(bet.kind, ambiguity, index, seen.rtp)


def _of_baccarat(rules: str, game: BaccaratGame) -> Iterator[OtherReading]:
    for bet in game.bets.values():
        six = coup_bet_return(rules, bet, decks=6).rtp
        yield _of_side_bet(bet.kind, "baccarat-decks", 1, six)
        if bet.kind in _PAID_OTHERWISE:
            ambiguity, odds = _PAID_OTHERWISE[bet.kind]
            paid = coup_bet_return(rules, bet._replace(pays=odds), decks=game.decks)
            yield _of_side_bet(bet.kind, ambiguity, 1, paid.rtp)
        if bet.wins is perfectly_pairs:
            yield _perfect_pairs_paid_twice(rules, bet, game)


def _perfect_pairs_paid_twice(rules: str, bet: CoupBet, game: BaccaratGame) -> OtherReading:
    """What is won is won twice when both hands have a perfect pair."""
    once = coup_bet_return(rules, bet, decks=game.decks).rtp
    both = opening_bet_return(rules, bet._replace(wins=_both_perfect), decks=game.decks)
    again = both.hit_frequency * Fraction(bet.pays.won, bet.pays.staked)
    return _of_side_bet(bet.kind, "perfect-pair-paid-once", 1, once + again)


def _both_perfect(coup: Coup) -> bool:
    return coup.player[0] == coup.player[1] and coup.banker[0] == coup.banker[1]


_PAID_OTHERWISE: Final = {
    "tie": ("tie-nine-for-one", Odds(9, 1)),
    "banker": ("banker-commission", Odds(9, 10)),
}


def _as_ten(card: str) -> str:
    return f"T{card[1]}" if card[0] in "JQK" else card


def _pair_by_value(combination: Combination) -> Combination:
    """The pair as if ten, jack, queen and king were one rank."""

    def seen(opening: Opening) -> str:
        box, dealer = opening
        return combination(Opening([_as_ten(c) for c in box], [_as_ten(c) for c in dealer]))

    return seen


def without_straight(ranks: str) -> Combination:
    """21+3 as if these ranks were no straight."""

    def seen(opening: Opening) -> str:
        known = box_and_upcard(opening)
        if _ranks(opening) == set(ranks):
            return {STRAIGHT_FLUSH: FLUSH, STRAIGHT: NO_COMBINATION}[known]
        return known

    return seen


def _king_between(opening: Opening) -> str:
    """21+3 as if K-A-2 were a straight too."""
    known = box_and_upcard(opening)
    if _ranks(opening) == set("KA2"):
        return {FLUSH: STRAIGHT_FLUSH, NO_COMBINATION: STRAIGHT}[known]
    return known


def _of_three_suits(opening: Opening) -> str:
    """21+3 as if straights and trips needed three suits."""
    known = box_and_upcard(opening)
    if known in {STRAIGHT, TRIPS} and len({card[1] for card in _three(opening)}) < len("SHD"):
        return NO_COMBINATION
    return known


def _ranks(opening: Opening) -> set[str]:
    return {card[0] for card in _three(opening)}


def _three(opening: Opening) -> tuple[str, ...]:
    return (*opening.box[:2], opening.dealer[0])


_SEEN_OTHERWISE: Final[dict[Callable[[Opening], str], tuple[tuple[str, int, Combination], ...]]] = {
    box_pair: (("rank-or-value", 1, _pair_by_value(box_pair)),),
    dealer_pair: (("rank-or-value", 1, _pair_by_value(dealer_pair)),),
    box_and_upcard: (
        ("straight-ace", 1, without_straight("QKA")),  # A-2-3 comes as often
        ("straight-ace", 2, _king_between),
        ("different-suits", 1, _of_three_suits),
    ),
}
