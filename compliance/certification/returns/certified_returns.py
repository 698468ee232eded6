"""Certified returns of a rule set, compared with those its sheet declares."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.returns.baccarat import (
    baccarat_returns,
    depends_on_cards,
    opening_bet_return,
)
from compliance.certification.returns.blackjack.analysis import Play, analyse_plans
from compliance.certification.returns.blackjack.plan import plans_of
from compliance.certification.returns.blackjack.strategy import Strategy
from compliance.certification.returns.blackjack.variance import ResultMoments, moments_of_plans
from compliance.certification.returns.bonus_return import BonusReturn, bonus_return
from compliance.certification.returns.declared_returns import DeclaredReturn, declared_return
from compliance.certification.returns.exact_returns import BetReturn
from compliance.certification.returns.exposed_return import ExposedPlayReturn, exposed_play_return
from compliance.certification.returns.insurance import insurance_return
from compliance.certification.returns.multiplied_return import MultipliedReturn, multiplied_return
from compliance.certification.returns.multiplier_weights import MultiplierWeights
from compliance.certification.returns.reachable_returns import Reach, reach_of
from compliance.certification.returns.side_bets import side_bet_returns
from compliance.certification.returns.verdict import Verdict, verdict_on, without_multipliers
from compliance.certification.returns.weights_document import OperatorWeights
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

INITIAL: Final = "initial"
"""Return per unit of the initial stake."""
STAKED: Final = "staked"
"""Return per unit staked, raises included."""


class CertifiedReturn(NamedTuple):
    """The return of a bet, and the return that its sheet declares."""

    rules: str
    kind: str
    basis: str
    """What the return is a share of: ``INITIAL`` or ``STAKED``."""
    strategy: str | None
    """How the hands are played (``Play``), None for a bet without decisions."""
    share: Fraction
    """The return; for a bet with decisions within the error of the analysis (``ERROR``)."""
    computed: BetReturn | None
    """All outcomes with exact chances; None where the return is not an exact fraction."""
    declared: DeclaredReturn | None
    verdict: Verdict
    moments: ResultMoments | None = None
    """Variance of a bet with decisions; set for the initial stake only."""
    chart: Strategy | None = None
    """The best chart, where it is used; set for the initial stake only."""
    weighted: MultipliedReturn | BonusReturn | None = None
    """The return with an operator's weights, where it depends on weights."""
    exposed: ExposedPlayReturn | None = None
    """Estimated return of play that uses the multiplier cards, if requested."""

    @property
    def is_leading(self) -> bool:
        """Whether it is the main figure of its bet: per initial stake, by best play."""
        return self.basis == INITIAL and self.strategy in {None, Play.COMPOSITION}


def certified_returns(
    rules: RuleSet, weights: OperatorWeights | None = None, *, exposed_rounds: int = 0
) -> Iterator[CertifiedReturn]:
    """The returns of all analysed bets of the rule set, yielded as they are computed.

    Without ``weights``, bets that depend on weights alone are left out, and a main bet is that of
    the game without multiplier cards. ``exposed_rounds`` is the sample size for the estimate of
    play that uses the multiplier cards; 0 skips it. Raises TypeError for an unknown kind of game.
    """
    game = rules.declaration
    if isinstance(game, BaccaratGame):
        for computed in baccarat_returns(rules.name, game):
            yield _certified(computed, _reach_of(game, computed))
    elif isinstance(game, BlackjackGame):
        multipliers = weights and weights.multipliers
        for main in _main_returns(rules.name, game, multipliers):
            if multipliers and exposed_rounds and main.is_leading:
                exposed = exposed_play_return(game, multipliers, rounds=exposed_rounds)
                yield main._replace(exposed=exposed)
            else:
                yield main
        for computed in (*side_bet_returns(rules.name, game), insurance_return(rules.name, game)):
            yield _certified(computed, None)
        if weights is not None and weights.grids is not None:
            yield _bonus_return(rules.name, bonus_return(game, weights.grids))
    else:
        raise TypeError(f"no analysis for {rules.name}")


def _certified(computed: BetReturn, reach: Reach | None) -> CertifiedReturn:
    """A bet without decisions."""
    declared = declared_return(computed.rules, computed.kind)
    verdict = verdict_on(computed.rtp, declared, reach)
    return CertifiedReturn(
        computed.rules, computed.kind, INITIAL, None, computed.rtp, computed, declared, verdict
    )


def _main_returns(
    rules: str, game: BlackjackGame, weights: MultiplierWeights | None
) -> Iterator[CertifiedReturn]:
    """The main bet by each kind of play and basis: the sheets do not say which they declare."""
    declared = declared_return(rules, MAIN)
    for play in Play:
        plans = tuple(plans_of(game, play))
        analysed = analyse_plans(play, plans)
        weighted = multiplied_return(game, weights, play) if weights else None
        # The variance with multiplier cards is not computed.
        moments = None if weighted else moments_of_plans(play, plans)
        chart = analysed.strategy if play is Play.TOTAL else None
        analysis = weighted or analysed
        for basis, share in ((INITIAL, analysis.per_initial), (STAKED, analysis.per_staked)):
            verdict = verdict_on(Fraction(share), declared)
            if game.multipliers and declared is not None and weighted is None:
                verdict = without_multipliers(Fraction(share), declared)
            certified = CertifiedReturn(
                rules, MAIN, basis, play.value, Fraction(share), None, declared, verdict
            )
            if basis == INITIAL:
                certified = certified._replace(moments=moments, chart=chart)
            yield certified._replace(weighted=weighted)


def _bonus_return(rules: str, bonus: BonusReturn) -> CertifiedReturn:
    """The Mega Fire Blaze bet with the weights of its grids."""
    share, declared = Fraction(bonus.rtp), declared_return(rules, MEGA_FIRE_BLAZE)
    verdict = verdict_on(share, declared)
    certified = CertifiedReturn(
        rules, MEGA_FIRE_BLAZE, INITIAL, None, share, None, declared, verdict
    )
    return certified._replace(weighted=bonus)


def _reach_of(game: BaccaratGame, computed: BetReturn) -> Reach | None:
    """Whether another number of decks gives the declared return; for bets on first cards."""
    bet, declared = game.bets[computed.kind], declared_return(computed.rules, computed.kind)
    if declared is None or not depends_on_cards(bet):
        return None
    return reach_of(
        declared, lambda decks: opening_bet_return(computed.rules, bet, decks=decks).rtp
    )
