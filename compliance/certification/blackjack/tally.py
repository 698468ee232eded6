"""Adds up what ended hands pay, against every end of the dealer's hand, one by one and in pairs."""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.dealer import (
    BLACKJACK,
    ENDINGS,
    LOWEST,
    PUSHING_BUST,
    Draws,
)
from compliance.certification.blackjack.ended import Ended, chance_of_cards
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.standing import Pays, ending_chances

_PAYING_BUST: Final = ENDINGS

CHANCE: Final = 0
"""What a tally adds up, by its places: the chance of all that was added,"""
MEAN: Final = 1
SQUARE: Final = 2
WINS: Final = 3
"""and the chance that more comes back than was staked."""
SUMS: Final = 4
_MORE_THAN_HELD: Final = 64
"""Two hands have fewer cards of a value than this; ten values make a number of 60 bits."""


class Against(NamedTuple):
    """The dealer's side of the table under one upcard."""

    draws: Draws
    pays: Pays
    chances: Floats
    """Room for the chance of every ending, the bust that pays behind the others."""
    reached: Floats
    """Room for as many numbers as there are nodes of draws."""


@compiled
def add_net(tally: Floats, chance: float, net: float) -> None:
    """Adds one result, as units of the initial stake."""
    tally[CHANCE] += chance
    tally[MEAN] += chance * net
    tally[SQUARE] += chance * net * net
    tally[WINS] += chance * (net > 0.0)


@compiled
def meet(against: Against, shoe: Floats) -> None:
    """Works out how the dealer's hand ends from a shoe without all cards seen."""
    chances = against.chances
    ending_chances(against.draws, shoe, chances[:ENDINGS], against.reached)
    chances[_PAYING_BUST] = 1.0 - chances[:ENDINGS].sum()
    if against.pays.is_looked_at:
        chances[BLACKJACK] = 0.0


@compiled
def net_of(ended: Ended, row: int, ending: int, pays: Pays) -> float:
    """What an ended hand gains at this end of the dealer's."""
    stakes = ended.stakes[row]
    points = ended.points[row]
    if ending == BLACKJACK:
        return float(pays.single if stakes == 1 else pays.doubled)
    if points == 0:
        return float(-stakes)
    if pays.most_cards_win and ended.cards[row] == pays.most_cards:
        return float(pays.win * stakes)
    if ending == PUSHING_BUST or points == LOWEST + ending:
        return 0.0
    wins = ending == _PAYING_BUST or points > LOWEST + ending
    return float(pays.win * stakes if wins else -stakes)


@compiled
def add_hands(ended: Ended, shoe: Floats, weight: float, against: Against, tally: Floats) -> None:
    """Adds all ended hands, drawn from this shoe."""
    for row in range(len(ended.points)):
        chance = weight * ended.orders[row] * chance_of_cards(shoe, ended.counts[row])
        if chance == 0.0:
            continue
        meet(against, shoe - ended.counts[row])
        for ending in range(ENDINGS + 1):
            net = net_of(ended, row, ending, against.pays)
            add_net(tally, chance * against.chances[ending], net)


class _Pairs(NamedTuple):
    """Two hands of a split that end together, by their rows; what holds the same cards in a row.

    The dealer's hand depends on what both hold together, so it is worked out once for all of them.
    """

    ones: Ints
    others: Ints
    held: Ints
    """All cards that both have drawn, as one number."""


@compiled
def add_pairs(
    ended: Ended,
    column: int,
    shoe: Floats,
    weight: float,
    least: float,
    against: Against,
    tally: Floats,
) -> float:
    """Adds both hands of a split of this column; the shoe lacks both cards of the pair.

    Two ends that come together more rarely than ``least`` are left out; gives the chance of all
    that were.
    """
    drawn = ended.counts.copy()
    drawn[:, column] -= 1
    pairs = _likely_pairs(ended, drawn, shoe, least / weight)
    nets = _nets_of(ended, against.pays)
    orders = ended.orders
    added = 0.0
    cards = 0.0
    before = -1
    for place in range(len(pairs.held)):
        one, other = pairs.ones[place], pairs.others[place]
        if pairs.held[place] != before:
            before = pairs.held[place]
            both = drawn[one] + drawn[other]
            cards = weight * chance_of_cards(shoe, both)
            meet(against, shoe - both)
        chance = cards * orders[one] * orders[other] * (1.0 if one == other else 2.0)
        added += chance
        for ending in range(ENDINGS + 1):
            net = nets[one, ending] + nets[other, ending]
            add_net(tally, chance * against.chances[ending], net)
    return weight - added


@compiled
def _nets_of(ended: Ended, pays: Pays) -> Floats:
    """What each ended hand gains at each end of the dealer's."""
    nets = np.empty((len(ended.points), ENDINGS + 1))
    for row in range(len(nets)):
        for ending in range(ENDINGS + 1):
            nets[row, ending] = net_of(ended, row, ending, pays)
    return nets


@compiled
def _likely_pairs(ended: Ended, drawn: Ints, shoe: Floats, least: float) -> _Pairs:
    """All pairs of ends, each once, whose chances give at least this product."""
    shares = np.empty(len(drawn))
    numbers = np.zeros(len(drawn), dtype=np.int64)
    for row in range(len(drawn)):
        shares[row] = ended.orders[row] * chance_of_cards(shoe, drawn[row])
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
    ones = np.repeat(ranked, reach - np.arange(len(ranked)))
    others = np.empty_like(ones)
    row = 0
    for place in range(len(ranked)):
        for other in ranked[place : reach[place]]:
            others[row] = other
            row += 1
    held = numbers[ones] + numbers[others]
    alike = np.argsort(held)
    return _Pairs(ones[alike], others[alike], held[alike])


def room_for(draws: Draws, pays: Pays) -> Against:
    """The dealer's side under one upcard."""
    return Against(draws, pays, np.empty(ENDINGS + 1), np.empty(len(draws.parent)))
