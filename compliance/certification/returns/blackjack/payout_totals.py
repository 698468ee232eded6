"""Sums of net results over final hands and dealer endings, for single hands and split pairs."""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.dealer import (
    BLACKJACK,
    ENDINGS,
    LOWEST,
    PUSHING_BUST,
    Draws,
)
from compliance.certification.returns.blackjack.final_hands import FinalHands, chance_of_cards
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints, compiled
from compliance.certification.returns.blackjack.stand_values import Pays, ending_chances

_PAYING_BUST: Final = ENDINGS

CHANCE: Final = 0
"""Indices of a tally: total chance, mean, mean square, chance of a win."""
MEAN: Final = 1
SQUARE: Final = 2
WINS: Final = 3
SUMS: Final = 4
_MORE_THAN_HELD: Final = 64
"""Base for encoding card counts as one integer: two hands hold fewer cards of a value."""


class DealerSide(NamedTuple):
    """The dealer's draws under one upcard, with work arrays."""

    draws: Draws
    pays: Pays
    chances: Floats
    """Work array: the chance of every ending, the paying bust last."""
    reached: Floats
    """Work array, one element per node of ``draws``."""


@compiled
def add_net(tally: Floats, chance: float, net: float) -> None:
    """Adds a net result in units of the initial stake."""
    tally[CHANCE] += chance
    tally[MEAN] += chance * net
    tally[SQUARE] += chance * net * net
    tally[WINS] += chance * (net > 0.0)


@compiled
def update_endings(dealer_side: DealerSide, shoe: Floats) -> None:
    """Computes the chances of the dealer's endings from a shoe without the known cards."""
    chances = dealer_side.chances
    ending_chances(dealer_side.draws, shoe, chances[:ENDINGS], dealer_side.reached)
    chances[_PAYING_BUST] = 1.0 - chances[:ENDINGS].sum()
    if dealer_side.pays.is_looked_at:
        chances[BLACKJACK] = 0.0


@compiled
def net_of(hands: FinalHands, row: int, ending: int, pays: Pays) -> float:
    """The net result of a final hand at this ending."""
    stakes = hands.stakes[row]
    points = hands.points[row]
    if ending == BLACKJACK:
        return float(pays.single if stakes == 1 else pays.doubled)
    if points == 0:
        return float(-stakes)
    if pays.most_cards_win and hands.cards[row] == pays.most_cards:
        return float(pays.win * stakes)
    if ending == PUSHING_BUST or points == LOWEST + ending:
        return 0.0
    wins = ending == _PAYING_BUST or points > LOWEST + ending
    return float(pays.win * stakes if wins else -stakes)


@compiled
def add_hands(
    hands: FinalHands, shoe: Floats, weight: float, dealer_side: DealerSide, tally: Floats
) -> None:
    """Adds all final hands drawn from this shoe."""
    for row in range(len(hands.points)):
        chance = weight * hands.orders[row] * chance_of_cards(shoe, hands.counts[row])
        if chance == 0.0:
            continue
        update_endings(dealer_side, shoe - hands.counts[row])
        for ending in range(ENDINGS + 1):
            net = net_of(hands, row, ending, dealer_side.pays)
            add_net(tally, chance * dealer_side.chances[ending], net)


class _Pairs(NamedTuple):
    """Pairs of final split hands by row, sorted by the cards that both hold together.

    The dealer's chances depend on these cards only, so they are computed once per group.
    """

    firsts: Ints
    seconds: Ints
    held: Ints
    """The cards drawn by both, encoded as one integer."""


@compiled
def add_pairs(
    hands: FinalHands,
    column: int,
    shoe: Floats,
    weight: float,
    least: float,
    dealer_side: DealerSide,
    tally: Floats,
) -> float:
    """Adds both hands of a split of this column; the shoe lacks both cards of the pair.

    Pairs with a chance below ``least`` are left out. Returns their total chance.
    """
    drawn = hands.counts.copy()
    drawn[:, column] -= 1
    pairs = _likely_pairs(hands, drawn, shoe, least / weight)
    nets = _nets_of(hands, dealer_side.pays)
    orders = hands.orders
    added = 0.0
    cards = 0.0
    before = -1
    for place in range(len(pairs.held)):
        first, second = pairs.firsts[place], pairs.seconds[place]
        if pairs.held[place] != before:
            before = pairs.held[place]
            both = drawn[first] + drawn[second]
            cards = weight * chance_of_cards(shoe, both)
            update_endings(dealer_side, shoe - both)
        chance = cards * orders[first] * orders[second] * (1.0 if first == second else 2.0)
        added += chance
        for ending in range(ENDINGS + 1):
            net = nets[first, ending] + nets[second, ending]
            add_net(tally, chance * dealer_side.chances[ending], net)
    return weight - added


@compiled
def _nets_of(hands: FinalHands, pays: Pays) -> Floats:
    """The net result of each final hand at each ending."""
    nets = np.empty((len(hands.points), ENDINGS + 1))
    for row in range(len(nets)):
        for ending in range(ENDINGS + 1):
            nets[row, ending] = net_of(hands, row, ending, pays)
    return nets


@compiled
def _likely_pairs(hands: FinalHands, drawn: Ints, shoe: Floats, least: float) -> _Pairs:
    """All unordered pairs of final hands whose chances multiply to at least ``least``."""
    shares = np.empty(len(drawn))
    numbers = np.zeros(len(drawn), dtype=np.int64)
    for row in range(len(drawn)):
        shares[row] = hands.orders[row] * chance_of_cards(shoe, drawn[row])
        for column in range(VALUES):
            numbers[row] = _MORE_THAN_HELD * numbers[row] + drawn[row, column]
    ranked = np.argsort(-shares)
    reach = np.empty(len(ranked), dtype=np.int64)
    for place in range(len(ranked)):
        reach[place] = place
        while (
            reach[place] < len(ranked)
            and shares[ranked[place]] * shares[ranked[reach[place]]] >= least
        ):
            reach[place] += 1
    firsts = np.repeat(ranked, reach - np.arange(len(ranked)))
    seconds = np.empty_like(firsts)
    row = 0
    for place in range(len(ranked)):
        for second in ranked[place : reach[place]]:
            seconds[row] = second
            row += 1
    held = numbers[firsts] + numbers[seconds]
    alike = np.argsort(held)
    return _Pairs(firsts[alike], seconds[alike], held[alike])


def new_dealer_side(draws: Draws, pays: Pays) -> DealerSide:
    """A DealerSide with new work arrays."""
    return DealerSide(draws, pays, np.empty(ENDINGS + 1), np.empty(len(draws.parent)))
