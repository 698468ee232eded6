"""Return of a blackjack main bet from a freshly shuffled shoe, by combinatorial analysis.

The enumeration is complete: every upcard, opening hand, drawn card and dealer hand with its exact
chance. Computed in double precision; the error is rounding only (`ERROR`).

Quantum: this is the base game without multiplier cards, whose frequencies no sheet specifies. Their
contribution is a separate sum over the final hands (`multiplier_cards`).
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from compliance.certification.returns.blackjack.plan import Plan, Play, plans_of
from compliance.certification.returns.blackjack.strategy import (
    Strategy,
    chart_strategy,
    opening_strategy,
)
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

__all__ = [
    "ERROR",
    "MainReturn",
    "Play",
    "analyse",
    "analyse_game",
    "analyse_plans",
    "blackjack_of",
]

ERROR: Final = 1e-11
"""Upper bound of the error of each figure: some 10^4 roundings of 10^-16."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainReturn:
    """The return of a main bet, as a fraction of 1."""

    play: Play
    per_initial: float
    """Payout per unit of the initial stake; raises count by their gain or loss."""
    per_staked: float
    """Payout per unit staked, raises included, by the same play."""
    staked: float
    """Mean total stake per unit of the initial stake."""
    error: float
    """Upper bound of the error."""
    seconds: float
    """Computing time."""
    strategy: Strategy


def analyse(rules: str, play: Play) -> MainReturn:
    """The return of the main bet of a rule set such as ``"blackjack/1"``.

    Raises KeyError for an unknown rule set, TypeError for one that is no blackjack.
    """
    return analyse_game(blackjack_of(rules), play)


def analyse_game(game: BlackjackGame, play: Play) -> MainReturn:
    """The return of the main bet of a declared game.

    The play maximizes the gain per initial stake. Maximizing the gain per unit staked would raise
    slightly more often; no sheet declares that figure.
    """
    return analyse_plans(play, plans_of(game, play))


def analyse_plans(play: Play, plans_by_upcard: Iterable[Plan]) -> MainReturn:
    """The return of a main bet played by these plans."""
    begun = time.perf_counter()
    plans = list(plans_by_upcard)
    gain = sum(plan.upcard.chance * plan.opened.gain for plan in plans)
    raised = sum(plan.upcard.chance * plan.opened.raised for plan in plans)
    return MainReturn(
        play=play,
        per_initial=1.0 + gain,
        per_staked=1.0 + gain / (1.0 + raised),
        staked=1.0 + raised,
        error=ERROR,
        seconds=time.perf_counter() - begun,
        strategy=(
            chart_strategy([plan.chart for plan in plans])
            if play is Play.TOTAL
            else opening_strategy([plan.decisions for plan in plans])
        ),
    )


def blackjack_of(rules: str) -> BlackjackGame:
    """The declaration of a blackjack. Raises KeyError and TypeError like `analyse`."""
    game = rule_set(rules).declaration
    if not isinstance(game, BlackjackGame):
        raise TypeError(f"{rules} is no blackjack")
    return game
