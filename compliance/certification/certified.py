"""The certified returns of a rule set: computed, compared with what its sheet declares."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.baccarat import baccarat_returns, opening_bet_return, sees_cards
from compliance.certification.declared import DeclaredReturn, declared_return
from compliance.certification.exact import BetReturn
from compliance.certification.insurance import insurance_return
from compliance.certification.reach import Reach, reach_of
from compliance.certification.side_bets import side_bet_returns
from compliance.certification.verdict import Verdict, verdict_on
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

INITIAL: Final = "initial"
"""For each unit of the initial stake."""


class Certified(NamedTuple):
    """What a bet returns, and what its sheet says of it."""

    rules: str
    kind: str
    basis: str
    """What the return is a share of: ``"initial"`` or ``"staked"``, raises among it."""
    strategy: str | None
    """How the hands are played, None for a bet without decisions."""
    share: Fraction
    computed: BetReturn | None
    """All outcomes with exact chances, None where the return is no exact fraction."""
    declared: DeclaredReturn | None
    verdict: Verdict


def certified_returns(rules: RuleSet) -> Iterator[Certified]:
    """The returns of all bets of the rule set that are analysed, as soon as each is known."""
    game = rules.declaration
    for computed in _returns_of(rules):
        declared = declared_return(rules.name, computed.kind)
        reach = _reach_of(game, computed.kind, declared)
        verdict = verdict_on(computed.rtp, declared, reach)
        yield Certified(
            rules.name, computed.kind, INITIAL, None, computed.rtp, computed, declared, verdict
        )


def _returns_of(rules: RuleSet) -> Iterator[BetReturn]:
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        yield from baccarat_returns(rules.name, game)
    elif isinstance(game, BlackjackGame):
        yield from side_bet_returns(rules.name, game)
        yield insurance_return(rules.name, game)
    else:
        raise TypeError(f"nobody knows how to analyse {rules.name}")


def _reach_of(game: object, kind: str, declared: DeclaredReturn | None) -> Reach | None:
    """Whether other decks could give the declared figure, asked of pairs at baccarat alone."""
    if declared is None or not isinstance(game, BaccaratGame) or not sees_cards(game.bets[kind]):
        return None
    bet = game.bets[kind]
    return reach_of(declared, lambda decks: opening_bet_return("", bet, decks=decks).rtp)
