"""The certified returns of a rule set: computed, compared with what its sheet declares."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.baccarat import baccarat_returns, opening_bet_return, sees_cards
from compliance.certification.blackjack.analysis import Play, analyse_plans
from compliance.certification.blackjack.plan import plans_of
from compliance.certification.blackjack.spread import Spread, spread_of_plans
from compliance.certification.blackjack.strategy import Strategy
from compliance.certification.bonus_return import BonusReturn, bonus_return
from compliance.certification.declared import DeclaredReturn, declared_return
from compliance.certification.exact import BetReturn
from compliance.certification.insurance import insurance_return
from compliance.certification.multiplied_return import MultipliedReturn, multiplied_return
from compliance.certification.multiplier_weights import MultiplierWeights
from compliance.certification.reach import Reach, reach_of
from compliance.certification.shown_return import ShownReturn, shown_return
from compliance.certification.side_bets import side_bet_returns
from compliance.certification.verdict import Verdict, verdict_on, without_multipliers
from compliance.certification.weights_document import OperatorWeights
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

INITIAL: Final = "initial"
"""For each unit of the initial stake."""
STAKED: Final = "staked"
"""For each unit of all that is staked, raises among it."""


class Certified(NamedTuple):
    """What a bet returns, and what its sheet says of it."""

    rules: str
    kind: str
    basis: str
    """What the return is a share of: ``INITIAL`` or ``STAKED``."""
    strategy: str | None
    """How the hands are played (``Play``), None for a bet without decisions."""
    share: Fraction
    """The return; for a bet with decisions as near as the analysis comes (``ERROR``)."""
    computed: BetReturn | None
    """All outcomes with exact chances, None where the return is no exact fraction."""
    declared: DeclaredReturn | None
    verdict: Verdict
    spread: Spread | None = None
    """Of a bet with decisions; told per initial stake."""
    chart: Strategy | None = None
    """The best chart, where it is played by; told per initial stake."""
    weighted: MultipliedReturn | BonusReturn | None = None
    """What an operator's weights made of the return, where it rests on any."""
    shown: ShownReturn | None = None
    """What play would return that looks at the multiplier cards, where that was asked."""

    @property
    def is_leading(self) -> bool:
        """Whether it is the first to look at for its bet: of the initial stake, by best play."""
        return self.basis == INITIAL and self.strategy in {None, Play.COMPOSITION}


def certified_returns(
    rules: RuleSet, weights: OperatorWeights | None = None, *, shown_rounds: int = 0
) -> Iterator[Certified]:
    """The returns of all bets of the rule set that are analysed, as soon as each is known.

    ``weights`` are the operator's for this rule set; without them a bet whose return rests on
    nothing else has none, and a main bet is that of the game without multiplier cards. From
    ``shown_rounds`` draws of these it is estimated what play returns that looks at them.
    """
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        for computed in baccarat_returns(rules.name, game):
            yield _certified(computed, _reach_of(game, computed))
    elif isinstance(game, BlackjackGame):
        multipliers = weights and weights.multipliers
        for main in _main_returns(rules.name, game, multipliers):
            if multipliers and shown_rounds and main.is_leading:
                shown = shown_return(game, multipliers, rounds=shown_rounds)
                yield main._replace(shown=shown)
            else:
                yield main
        for computed in (*side_bet_returns(rules.name, game), insurance_return(rules.name, game)):
            yield _certified(computed, None)
        if weights is not None and weights.grids is not None:
            yield _bonus_return(rules.name, bonus_return(game, weights.grids))
    else:
        raise TypeError(f"nobody knows how to analyse {rules.name}")


def _certified(computed: BetReturn, reach: Reach | None) -> Certified:
    """A bet without decisions."""
    declared = declared_return(computed.rules, computed.kind)
    verdict = verdict_on(computed.rtp, declared, reach)
    return Certified(
        computed.rules, computed.kind, INITIAL, None, computed.rtp, computed, declared, verdict
    )


def _main_returns(
    rules: str, game: BlackjackGame, weights: MultiplierWeights | None
) -> Iterator[Certified]:
    """The main bet, played in each way, on each basis: the sheets do not say which they declare."""
    declared = declared_return(rules, MAIN)
    for play in Play:
        plans = tuple(plans_of(game, play))
        analysed = analyse_plans(play, plans)
        weighted = multiplied_return(game, weights, play) if weights else None
        # How the results lie apart is not worked out with multiplier cards.
        spread = None if weighted else spread_of_plans(play, plans)
        chart = analysed.strategy if play is Play.TOTAL else None
        found = weighted or analysed
        for basis, share in ((INITIAL, found.per_initial), (STAKED, found.per_staked)):
            verdict = verdict_on(Fraction(share), declared)
            if game.multipliers and declared is not None and weighted is None:
                verdict = without_multipliers(Fraction(share), declared)
            one = Certified(
                rules, MAIN, basis, play.value, Fraction(share), None, declared, verdict
            )
            if basis == INITIAL:
                one = one._replace(spread=spread, chart=chart)
            yield one._replace(weighted=weighted)


def _bonus_return(rules: str, found: BonusReturn) -> Certified:
    """The Mega Fire Blaze bet with the weights of its grids."""
    share, declared = Fraction(found.rtp), declared_return(rules, MEGA_FIRE_BLAZE)
    verdict = verdict_on(share, declared)
    one = Certified(rules, MEGA_FIRE_BLAZE, INITIAL, None, share, None, declared, verdict)
    return one._replace(weighted=found)


def _reach_of(game: BaccaratGame, computed: BetReturn) -> Reach | None:
    """Whether other decks could give what is declared, asked of bets on first cards."""
    bet, declared = game.bets[computed.kind], declared_return(computed.rules, computed.kind)
    if declared is None or not sees_cards(bet):
        return None
    return reach_of(
        declared, lambda decks: opening_bet_return(computed.rules, bet, decks=decks).rtp
    )
