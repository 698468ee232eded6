"""Fire Blaze points: the chance of each level per round. [MFB] Progressi di Fire Blaze.

Enumerates every final hand of the dealer, by the settlement's drawing rule, with all first two
cards of both boxes. The dealer always completes the hand. Cards drawn by the boxes in between do
not matter: the shuffled order is independent of play, so the dealer's cards may be dealt first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Final, NamedTuple

from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.blackjack.totals import TEN, VALUES, Values

_BOXES: Final = 2
_OPENING: Final = 2


class Earning(NamedTuple):
    """What earns points: the first two cards of scoring boxes, and the dealer's hand."""

    boxes: tuple[Values, ...]
    dealer: Values


def level_chances(game: BlackjackGame) -> Mapping[str, Fraction]:
    """The chance of each level per round, lowest first; the remainder earns none."""
    blaze = _fire_blaze_of(game)
    chances = dict.fromkeys(blaze.levels, Fraction())
    for points, chance in point_chances(game).items():
        level = blaze.level_of(points)
        if level is not None:
            chances[level] += chance
    return chances


@cache
def point_chances(game: BlackjackGame) -> Mapping[int, Fraction]:
    """The chance of each number of points, ascending; the sum is exactly one."""
    blaze = _fire_blaze_of(game)
    cards = sum(_shoe(game))
    deals: dict[int, Counter[int]] = {}
    for earning, ways in _earnings(blaze, game):
        points = blaze.points_of(boxes=earning.boxes, dealer=earning.dealer)
        dealt = len(earning.dealer) + _BOXES * _OPENING
        deals.setdefault(dealt, Counter())[points] += ways
    chances: dict[int, Fraction] = {}
    for dealt, by_points in deals.items():
        for points, ways in by_points.items():
            chances[points] = chances.get(points, Fraction()) + Fraction(ways, perm(cards, dealt))
    return dict(sorted(chances.items()))


def _fire_blaze_of(game: BlackjackGame) -> FireBlaze:
    if game.bonus is None or game.boxes != _BOXES or not game.always_dealt:
        raise ValueError(
            "points are computed only for two boxes that are always dealt, with a bonus"
        )
    return game.bonus


def _earnings(blaze: FireBlaze, game: BlackjackGame) -> Iterator[tuple[Earning, int]]:
    """Every scoring combination, with the number of deals of exactly its cards."""
    earn = [
        box
        for box in product(range(1, TEN + 1), repeat=_OPENING)
        if blaze.rows_of(boxes=(box,), dealer=())
    ]
    for dealer, orders in _dealer_hands(game).items():
        left = _shoe(game)
        ways = orders
        for value in dealer:
            ways *= left[value - 1]
            left[value - 1] -= 1
        for boxes, openings in _openings(left, earn):
            yield Earning(boxes, dealer), ways * openings


def _openings(left: list[int], earn: Sequence[Values]) -> Iterator[tuple[tuple[Values, ...], int]]:
    """The number of deals of two boxes with no, one and two scoring boxes.

    All scoring boxes earn the same points, so one represents them.
    """
    cards = sum(left)
    single = both = 0
    for box in earn:
        single += _deal(left, box)
        both += sum(_deal(left, box + other) for other in earn)
    others = perm(cards - _OPENING, _OPENING)
    yield (), perm(cards, _BOXES * _OPENING) - 2 * single * others + both
    yield tuple(earn[:1]), 2 * (single * others - both)
    yield (*earn[:1], *earn[:1]), both


@cache
def _dealer_hands(game: BlackjackGame) -> Counter[Values]:
    """The final hands of the dealer by sorted values, with their number of orders."""
    hands = Counter[Values]()
    begun: list[Values] = list(product(range(1, TEN + 1), repeat=_OPENING))
    while begun:
        values = begun.pop()
        if draw_by_rule(game, values).has_to_draw:
            begun += [(*values, value) for value in range(1, TEN + 1)]
        else:
            hands[tuple(sorted(values))] += 1
    return hands


def _deal(left: Sequence[int], values: Values) -> int:
    """The number of ways to deal these values in this order."""
    counts = Counter(values)
    ways = 1
    for value, number in counts.items():
        ways *= perm(left[value - 1], number)
    return ways


def _shoe(game: BlackjackGame) -> list[int]:
    """The cards of each value, Aces first."""
    shoe = [0] * TEN
    for value in VALUES.values():
        shoe[value - 1] += game.decks
    return shoe
