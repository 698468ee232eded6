"""Random draws, all based on ``random()``, the only method that Python keeps stable."""

from collections.abc import Mapping, MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

Item = TypeVar("Item")


def generator(*names: object) -> Random:
    """An independent generator for these names."""
    seed = ":".join(str(name) for name in names)
    return Random(seed)  # noqa: S311 - a simulation has to be repeatable, not secret


def happens(rng: Random, share: float) -> bool:
    """True with this probability."""
    return rng.random() < share


def between(rng: Random, low: int, high: int) -> int:
    """A uniform integer from ``low`` to ``high``, inclusive."""
    return low + int(rng.random() * (high - low + 1))


def pick(rng: Random, items: Sequence[Item]) -> Item:
    """A uniform choice of the items."""
    return items[int(rng.random() * len(items))]


def pick_weighted(rng: Random, weights: Mapping[Item, int]) -> Item:
    """A weighted choice of the items. Raises ValueError if no weight is above 0."""
    left = int(rng.random() * sum(weights.values()))
    for item, weight in weights.items():
        if left < weight:
            return item
        left -= weight
    raise ValueError("no weight is above 0")


def shuffle(rng: Random, items: MutableSequence[Any]) -> None:
    """Shuffle the items in place (Fisher and Yates)."""
    draw = rng.random
    for last in range(len(items) - 1, 0, -1):
        other = int(draw() * (last + 1))
        items[last], items[other] = items[other], items[last]
