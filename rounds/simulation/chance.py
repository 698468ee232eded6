"""Draws from a seeded generator, all made of ``random()`` because only that is promised to stay."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

Item = TypeVar("Item")


def generator(*names: object) -> Random:
    """A generator of its own for whoever bears these names, independent of every other one."""
    seed = ":".join(str(name) for name in names)
    return Random(seed)  # noqa: S311 - a simulation has to be repeatable, not secret


def happens(rng: Random, share: float) -> bool:
    """Whether something happens that happens in this share (0 to 1) of all cases."""
    return rng.random() < share


def between(rng: Random, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``, both included, all equally likely."""
    return low + int(rng.random() * (high - low + 1))


def pick(rng: Random, items: Sequence[Item]) -> Item:
    """One of the items, all equally likely."""
    return items[int(rng.random() * len(items))]


def shuffle(rng: Random, items: MutableSequence[Any]) -> None:
    """Put the items in an order drawn from all orders alike (Fisher and Yates), in place."""
    draw = rng.random
    for last in range(len(items) - 1, 0, -1):
        other = int(draw() * (last + 1))
        items[last], items[other] = items[other], items[last]
