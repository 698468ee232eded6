"""Returns with an operator's weights against rounds drawn by these weights and settled.

Issue 7, item 3: within three standard errors; seeded, the same every time.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from compliance.certification.returns.blackjack.analysis import analyse
from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.bonus_grid import GridWeights
from compliance.certification.returns.bonus_return import bonus_return
from compliance.certification.returns.multiplied_return import multiplied_return
from compliance.certification.returns.multiplier_weights import MultiplierWeights
from rounds.rules.blackjack.fire_blaze import CELLS_OF_SECTION, FireBlaze, Level
from rounds.rules.cards import CARDS
from rounds.rules.facts import Bonus
from tests.compliance.certification.blackjack.chart_play import by_chart
from tests.compliance.certification.random_rounds import STAKE, Dealer, game_of, settled
from tests.compliance.certification.weights.weight_documents import (
    BONUS_WEIGHTS,
    MULTIPLIER_WEIGHTS,
)
from tests.repetitions import repeated
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, bet, dealt, judged

MOST_DEALT = 60
"""More cards than any round takes."""
ROUNDS = repeated(400_000)


def picked(chance: Random, weights: Mapping[str, int]) -> str:
    """A random choice by weight."""
    return chance.choices(list(weights), list(weights.values()))[0]


def multiplier_cards(chance: Random, weights: MultiplierWeights) -> list[tuple[str, str]]:
    """The multiplier cards of a round with their values."""
    many = chance.choices(list(weights.rounds), list(weights.rounds.values()))[0]
    return [(card, picked(chance, weights.values[many])) for card in chance.sample(CARDS, many)]


def spun(chance: Random, level: str, of: Level, weights: GridWeights) -> Bonus:
    """A simulated bonus of at least the level's least prize."""
    cells: dict[int, str] = {}
    spins: list[tuple[tuple[int, str], ...]] = []
    left = 3
    while left and len(cells) < of.sections * CELLS_OF_SECTION:
        empty = [cell for cell in range(1, of.sections * 6 + 1) if cell not in cells]
        filled = [cell for cell in empty if chance.random() < weights.fills]
        spin = tuple((cell, picked(chance, weights.cells)) for cell in filled)
        cells |= dict(spin)
        spins.append(spin)
        left = 3 if spin else left - 1
    total = sum(int(value) for value in cells.values())
    specials = []
    offers = {("boost", name): weight for name, weight in weights.boosts.items()} | {
        ("star", name): weight for name, weight in weights.stars.items()
    }
    for section in range(1, of.sections + 1):
        six = range(6 * section - 5, 6 * section + 1)
        if offers and all(cell in cells for cell in six) and chance.random() < weights.reveals:
            kind, value = chance.choices(list(offers), list(offers.values()))[0]
            specials.append((str(section), kind, value))
            boosted = sum(int(cells[cell]) for cell in six) * (int(value) - 1)
            total += boosted if kind == "boost" else int(value)
    if total < of.least:
        return spun(chance, level, of, weights)
    return Bonus(level, tuple(spins), tuple(specials), str(min(total, of.most)))


def fire_blaze() -> FireBlaze:
    """The bonus of the game that has one."""
    bonus = game_of(MEGA_FIRE_BLAZE).bonus
    assert bonus is not None
    return bonus


def assert_mean(expected: float, sample: Sequence[float]) -> None:
    """Asserts the mean within three standard errors."""
    assert abs(fmean(sample) - expected) < 3 * stdev(sample) / sqrt(len(sample))


class TestTheQuantumMainBet:
    """With multiplier cards, by the chart that does not look at them."""

    @pytest.mark.slow
    @pytest.mark.timeout(1200)
    def test_has_the_computed_return(self) -> None:
        """Splits, doubles, blackjacks and three-card busts, through settlement."""
        game = game_of(QUANTUM)
        exact = multiplied_return(game, MULTIPLIER_WEIGHTS, Play.TOTAL)
        chance = Random(ROUNDS)
        dealer = Dealer(game, by_chart(analyse(QUANTUM, Play.TOTAL).strategy))
        shoe = CARDS * game.decks

        nets = []
        for _ in range(ROUNDS):
            cards = multiplier_cards(chance, MULTIPLIER_WEIGHTS)
            net, _reasons = settled(QUANTUM, dealer.deal(chance.sample(shoe, MOST_DEALT)), cards)
            nets.append(1 + net / STAKE)

        assert_mean(exact.per_initial, nets)
        assert exact.per_initial - exact.without_per_initial > 0.1


class TestTheFireBlazeBet:
    """With the grids of all levels."""

    @pytest.mark.slow
    @pytest.mark.timeout(1200)
    def test_has_the_computed_return(self) -> None:
        """Points from cards, the bonus from the weights, the payout from settlement."""
        exact = bonus_return(game_of(MEGA_FIRE_BLAZE), BONUS_WEIGHTS)
        chance = Random(ROUNDS)
        deal = dealing(chance)

        paid = [paid_by_bonus(chance, deal()) for _ in range(ROUNDS)]

        assert_mean(exact.rtp, paid)
        assert exact.rtp > 0.5


def dealing(chance: Random) -> Callable[[], str]:
    """Rounds in which all hands stand and the dealer completes the hand, as text."""
    game = game_of(MEGA_FIRE_BLAZE)
    dealer = Dealer(game, lambda _values, _upcard, _letters: "S")
    shoe = CARDS * game.decks

    def deal() -> str:
        hand = dealer.deal(chance.sample(shoe, MOST_DEALT))
        first, second = [card for _, card in hand.hands[0].cards], [card for _, card in hand.aside]
        placed = [("1", first[0]), ("2", second[0]), ("D", hand.dealer[0])]
        placed += [("1", first[1]), ("2", second[1]), *(("D", card) for card in hand.dealer[1:])]
        return " ".join(f"{place}:{card}" for place, card in placed)

    return deal


def paid_by_bonus(chance: Random, text: str) -> float:
    """The payout of the bet per unit staked."""
    earned = judged(dealt(text, bet(), rules=MEGA_FIRE_BLAZE)).bonus
    assert earned is not None
    level, bonus = earned.level, None
    if level is not None:
        bonus = spun(chance, level, fire_blaze().levels[level], BONUS_WEIGHTS[level])
    bets = bet(), bet("mega_fire_blaze")
    verdict = judged(dealt(text, *bets, rules=MEGA_FIRE_BLAZE, bonus=bonus))
    assert (verdict.status, verdict.anomalies) == ("settled", ())
    return verdict.grades[1].payout_cents / STAKE
