"""Returns of bets under the readings of an ambiguous sheet that were not adopted.

The ambiguity register lists each point, its readings and the adopted one. All other rules are as
declared.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.returns.baccarat import coup_bet_return, opening_bet_return
from compliance.certification.returns.certified_returns import INITIAL, STAKED
from compliance.certification.returns.changed_rules import (
    ALTERNATIVE_COMBINATIONS,
    ALTERNATIVE_ODDS,
    both_perfect,
)
from compliance.certification.returns.main_bet_readings import main_bet_alternatives
from compliance.certification.returns.side_bets import side_bet_return
from rounds.rules.ambiguities.ambiguity import Ambiguity, Reading
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.baccarat.bets import CoupBet, perfectly_pairs
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.declaration import BlackjackGame
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
