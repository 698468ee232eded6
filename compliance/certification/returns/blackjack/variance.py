"""Variance and hit frequency of a main bet.

The same play as `analysis`, summed over final hands and over both hands of a split together. The
mean has to equal that of the analysis.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from compliance.certification.returns.blackjack.analysis import ERROR
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.jit_compiler import Floats
from compliance.certification.returns.blackjack.opening_decisions import NO_DECISION, SPLIT, ZAP
from compliance.certification.returns.blackjack.payout_totals import (
    MEAN,
    SQUARE,
    SUMS,
    WINS,
    DealerSide,
    add_hands,
    add_net,
    add_pairs,
    new_dealer_side,
)
from compliance.certification.returns.blackjack.plan import Plan, Play

_LEAST: Final = 1e-13
"""Pairs of split hands with a smaller chance are left out; the error accounts for them."""
_MOST_SQUARED: Final = 16.0
"""Square of the maximum result: four initial stakes, with two doubled hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMoments:
    """Mean, variance and hit frequency of the net result, in units of the initial stake."""

    play: Play
    mean: float
    """The return per initial stake, less one."""
    variance: float
    hit_frequency: float
    """The chance of a payout above the total stake."""
    error: float
    """Upper bound of the error of each figure."""
    seconds: float


def moments_of_plans(play: Play, plans: Iterable[Plan]) -> ResultMoments:
    """Moments of a main bet played by these plans."""
    begun = time.perf_counter()
    total = np.zeros(SUMS)
    left_out = 0.0
    for plan in plans:
        tally = np.zeros(SUMS)
        left_out += plan.upcard.chance * _add_all(plan, tally)
        total += plan.upcard.chance * tally
    mean = float(total[MEAN])
    return ResultMoments(
        play=play,
        mean=mean,
        variance=float(total[SQUARE]) - mean**2,
        hit_frequency=float(total[WINS]),
        error=ERROR + _MOST_SQUARED * left_out,
        seconds=time.perf_counter() - begun,
    )


def _add_all(plan: Plan, tally: Floats) -> float:
    """Adds the rounds under one upcard; gives the chance of those that were left out."""
    dealer_side = new_dealer_side(plan.upcard.draws, plan.upcard.pays)
    add_hands(plan.final_unsplit_hands(), plan.upcard.table.shoe, 1.0, dealer_side, tally)
    left_out = 0.0
    for i in range(VALUES):
        for j in range(i, VALUES):
            orders = 1 if i == j else 2
            chance = orders * float(plan.opening_chances[i, j])
            _add_ends_at_once(plan, i, j, chance, tally)
            left_out += _add_opening(plan, i, j, chance, dealer_side, tally)
    return left_out


def _add_ends_at_once(plan: Plan, i: int, j: int, chance: float, tally: Floats) -> None:
    """Adds the rounds that a blackjack ends, the player's or one that the dealer finds."""
    safe = float(plan.twos.safe[0, i, j])
    if plan.decisions[i, j] == NO_DECISION:
        add_net(tally, chance * safe, plan.upcard.table.blackjack)
        add_net(tally, chance * (1.0 - safe), 0.0)
    elif plan.upcard.pays.is_looked_at:
        add_net(tally, chance * (1.0 - safe), -1.0)


def _add_opening(
    plan: Plan, i: int, j: int, chance: float, dealer_side: DealerSide, tally: Floats
) -> float:
    """Adds two cards that are split or zapped; gives the chance of what was left out."""
    shoe = plan.upcard.table.shoe - np.eye(VALUES)[i] - np.eye(VALUES)[j]
    if plan.decisions[i, j] == SPLIT:
        return add_pairs(plan.final_split_hands(i), i, shoe, chance, _LEAST, dealer_side, tally)
    if plan.decisions[i, j] == ZAP:
        add_hands(plan.final_zapped_hands(i, j), shoe, chance, dealer_side, tally)
    return 0.0
