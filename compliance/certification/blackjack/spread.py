"""How far the results of a main bet lie apart: variance and hit frequency.

The same play as `analysis`, added up another way: over every hand at its end, and over both hands
of a split together. So the mean that comes of it has to be that of the analysis.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from compliance.certification.blackjack.analysis import ERROR, blackjack_of
from compliance.certification.blackjack.compiled import Floats
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.opening import NO_DECISION, SPLIT, ZAP
from compliance.certification.blackjack.plan import Plan, Play, plans_of
from compliance.certification.blackjack.tally import (
    MEAN,
    SQUARE,
    SUMS,
    WINS,
    Against,
    add_hands,
    add_net,
    add_pairs,
    room_for,
)

_LEAST: Final = 1e-13
"""Two hands of a split that end like this more rarely are left out, and the error says so."""
_MOST_SQUARED: Final = 16.0
"""Nobody wins or loses more than four initial stakes with two hands that were doubled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How the net result of a round spreads, in units of the initial stake."""

    play: Play
    mean: float
    """The return per initial stake, less one."""
    variance: float
    hit_frequency: float
    """How often more comes back than was staked, raises among it."""
    error: float
    """How far off each of these may be."""
    seconds: float


def spread_of(rules: str, play: Play) -> Spread:
    """The spread of the main bet of a rule set; KeyError and TypeError as `analyse`."""
    return spread_of_plans(play, plans_of(blackjack_of(rules), play))


def spread_of_plans(play: Play, under_upcards: Iterable[Plan]) -> Spread:
    """The spread of a main bet that is played in this way by these plans."""
    begun = time.perf_counter()
    total = np.zeros(SUMS)
    left_out = 0.0
    for plan in under_upcards:
        tally = np.zeros(SUMS)
        left_out += plan.upcard.chance * _add_all(plan, tally)
        total += plan.upcard.chance * tally
    mean = float(total[MEAN])
    return Spread(
        play=play,
        mean=mean,
        variance=float(total[SQUARE]) - mean**2,
        hit_frequency=float(total[WINS]),
        error=ERROR + _MOST_SQUARED * left_out,
        seconds=time.perf_counter() - begun,
    )


def _add_all(plan: Plan, tally: Floats) -> float:
    """Adds the rounds under one upcard; gives the chance of those that were left out."""
    against = room_for(plan.upcard.draws, plan.upcard.pays)
    add_hands(plan.ended_unsplit(), plan.upcard.table.shoe, 1.0, against, tally)
    left_out = 0.0
    for one in range(VALUES):
        for two in range(one, VALUES):
            orders = 1 if one == two else 2
            chance = orders * float(plan.opening_chances[one, two])
            _add_ends_at_once(plan, one, two, chance, tally)
            left_out += _add_opening(plan, one, two, chance, against, tally)
    return left_out


def _add_ends_at_once(plan: Plan, one: int, two: int, chance: float, tally: Floats) -> None:
    """Adds the rounds that a blackjack ends, the player's or one that the dealer finds."""
    safe = float(plan.twos.safe[0, one, two])
    if plan.decisions[one, two] == NO_DECISION:
        add_net(tally, chance * safe, plan.upcard.table.blackjack)
        add_net(tally, chance * (1.0 - safe), 0.0)
    elif plan.upcard.pays.is_looked_at:
        add_net(tally, chance * (1.0 - safe), -1.0)


def _add_opening(
    plan: Plan, one: int, two: int, chance: float, against: Against, tally: Floats
) -> float:
    """Adds two cards that are split or zapped; gives the chance of what was left out."""
    shoe = plan.upcard.table.shoe - np.eye(VALUES)[one] - np.eye(VALUES)[two]
    if plan.decisions[one, two] == SPLIT:
        return add_pairs(plan.ended_halves(one), one, shoe, chance, _LEAST, against, tally)
    if plan.decisions[one, two] == ZAP:
        add_hands(plan.ended_zapped(one, two), shoe, chance, against, tally)
    return 0.0
