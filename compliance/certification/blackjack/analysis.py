"""What a blackjack main game returns, from a freshly shuffled shoe.

The sum is complete: every upcard, every opening hand, every card drawn, every end of the dealer's
hand, each with its exact chance. It is worked out in double precision, so a figure is exact but for
rounding (`ERROR`).

Quantum: this is the base game, in which no hand holds a multiplier card. What such cards add rests
on how often each of them is dealt, which no sheet says; it is a sum over the ended hands of a plan
(`plan`) beside this one and changes nothing here.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from compliance.certification.blackjack.plan import Plan, Play, plans_of
from compliance.certification.blackjack.strategy import (
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
"""No figure is further than this from the exact one: some 10^4 roundings at 10^-16 each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainReturn:
    """The return of a main bet, as shares of 1."""

    play: Play
    per_initial: float
    """What a unit of the initial stake gets back, raises counted as its gain or loss."""
    per_staked: float
    """The same play: what a unit gets back of all that is staked, raises among it."""
    staked: float
    """Staked on average for each unit of the initial stake."""
    error: float
    """How far off the returns may be."""
    seconds: float
    """How long the computer took."""
    strategy: Strategy


def analyse(rules: str, play: Play) -> MainReturn:
    """The return of the main bet of a rule set, ``"blackjack/1"``.

    KeyError for a rule set that does not exist, TypeError for one that is no blackjack.
    """
    return analyse_game(blackjack_of(rules), play)


def analyse_game(game: BlackjackGame, play: Play) -> MainReturn:
    """The return of the main bet of a declared game.

    The play is the one that gains most for each initial stake. One that gained most for each unit
    staked would raise a little more often; nobody declares that figure.
    """
    return analyse_plans(play, plans_of(game, play))


def analyse_plans(play: Play, under_upcards: Iterable[Plan]) -> MainReturn:
    """The return of a main bet that is played in this way by these plans."""
    begun = time.perf_counter()
    plans = list(under_upcards)
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
    """The declaration of a blackjack; KeyError and TypeError as `analyse`."""
    game = rule_set(rules).declaration
    if not isinstance(game, BlackjackGame):
        raise TypeError(f"{rules} is no blackjack")
    return game
