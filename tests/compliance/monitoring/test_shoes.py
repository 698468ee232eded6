"""Rounds of one shoe are nearly independent."""

import random
from statistics import fmean, pvariance
from typing import Final

import pytest

from rounds.rules.baccarat.coup import BANKER, PLAYER, POINTS, read_coup
from rounds.rules.cards import CARDS
from tests.compliance.monitoring.dealt_rounds import deal

_SHOES: Final = 6_000
_ROUNDS: Final = 70
_DECKS: Final = 8


def payout(cards: list[tuple[str, str]]) -> float:
    """The payout of a unit on Player."""
    player = sum(POINTS[card] for place, card in cards if place == PLAYER) % 10
    banker = sum(POINTS[card] for place, card in cards if place == BANKER) % 10
    return 1.0 if player == banker else 2.0 * (player > banker)


@pytest.mark.slow
def test_payouts_of_a_shoe_vary_as_if_its_rounds_were_independent() -> None:
    """The variance of a shoe's sum by that of independent rounds, within four standard errors."""
    dice = random.Random(20261122)
    sums, single = [], []
    for number in range(_SHOES):
        shoe = [*CARDS] * _DECKS
        dice.shuffle(shoe)
        coups = [deal(shoe) for _ in range(_ROUNDS)]
        if number < 20:
            assert not [codes for _, codes in map(read_coup, coups) if codes]
        paid = [payout(cards) for cards in coups]
        sums.append(sum(paid))
        single += paid

    ratio = pvariance(sums) / (_ROUNDS * pvariance(single))

    assert abs(ratio - 1) < 4 * (2 / _SHOES) ** 0.5
    assert abs(fmean(single) - 0.987649) < 4 * (pvariance(single) / len(single)) ** 0.5
