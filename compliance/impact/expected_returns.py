"""The expected returns of bets that a changed rule set pays otherwise, as in certificates.

Pure. Where the change needs weights of an operator, or no analysis exists, a bet is left out.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.returns.alternative_readings import other_readings
from compliance.certification.returns.baccarat import coup_bet_return
from compliance.certification.returns.blackjack.analysis import Play, analyse_game
from compliance.certification.returns.changed_rules import ReadingKey
from compliance.certification.returns.insurance import insurance_return
from compliance.certification.returns.side_bets import side_bet_return
from compliance.impact.changed_fields import changed_fields
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet


class ExpectedReturn(NamedTuple):
    """The return of a bet per unit of the initial stake: as declared, and as changed."""

    kind: str
    before: Fraction
    after: Fraction


def expected_returns(
    before: RuleSet, after: RuleSet, reading: ReadingKey | None = None
) -> Iterator[ExpectedReturn]:
    """Of each bet that the change concerns. A main bet is played optimally under either rule."""
    old, new = before.declaration, after.declaration
    if old is new:  # the reading is not a declaration
        yield from _of_reading(before, reading)
    elif isinstance(old, BaccaratGame) and isinstance(new, BaccaratGame):
        yield from _of_baccarat(before.name, old, new)
    elif isinstance(old, BlackjackGame) and isinstance(new, BlackjackGame):
        yield from _of_blackjack(before.name, old, new)


def _of_baccarat(rules: str, old: BaccaratGame, new: BaccaratGame) -> Iterator[ExpectedReturn]:
    for kind, bet in new.bets.items():
        is_analysed = bet.wins is old.bets[kind].wins
        if is_analysed and (bet, new.decks) != (old.bets[kind], old.decks):
            was = coup_bet_return(rules, old.bets[kind], decks=old.decks)
            now = coup_bet_return(rules, bet, decks=new.decks)
            yield ExpectedReturn(kind, was.rtp, now.rtp)


def _of_blackjack(rules: str, old: BlackjackGame, new: BlackjackGame) -> Iterator[ExpectedReturn]:
    fields = set(changed_fields(old, new))
    if fields - {"side_bets", "insurance_pays", "bonus"}:
        games = (analyse_game(game, Play.COMPOSITION).per_initial for game in (old, new))
        yield ExpectedReturn(MAIN, *map(Fraction, games))
    for bet, other in zip(old.side_bets, new.side_bets, strict=True):
        if (bet, old.decks) != (other, new.decks):
            was = side_bet_return(rules, bet, decks=old.decks)
            paid = other._replace(combination=bet.combination)  # which says the cards to count
            now = side_bet_return(rules, paid, decks=new.decks, combination=other.combination)
            yield ExpectedReturn(bet.kind, was.rtp, now.rtp)
    if fields & {"insurance_pays", "decks"}:
        shares = (insurance_return(rules, game).rtp for game in (old, new))
        yield ExpectedReturn(INSURANCE, *shares)


def _of_reading(rules: RuleSet, reading: ReadingKey | None) -> Iterator[ExpectedReturn]:
    game = rules.declaration
    if not isinstance(game, BaccaratGame):
        return
    for other in other_readings(rules):
        if (other.ambiguity, other.reading_index) == reading:
            was = coup_bet_return(rules.name, game.bets[other.kind], decks=game.decks).rtp
            yield ExpectedReturn(other.kind, was, other.share)
