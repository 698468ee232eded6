"""Visitors of a table: customers arrive, stay for some rounds, and leave."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, NamedTuple

from rounds.simulation.chance import between, happens
from rounds.simulation.customers import MOST_CUSTOMERS, REGULARS, Customer, customer, regular

_STAY: Final = (4, 45)
_ARRIVES: Final = 0.5


class Visitor(NamedTuple):
    """A customer at a table, the boxes played (none for an onlooker), and the last round."""

    customer: Customer
    boxes: tuple[int, ...]
    last_round: int


ChooseBoxes = Callable[[Random, tuple[int, ...]], tuple[int, ...]]
"""Chooses the boxes of a new visitor, given the boxes of the others."""


class Attendance:
    """The visitors of one table, at most ``places``, changing from round to round."""

    def __init__(self, *, places: int, choose_boxes: ChooseBoxes, rng: Random) -> None:
        self._places = places
        self._choose_boxes = choose_boxes
        self._rng = rng
        self._round = 0
        self._visitors: list[Visitor] = []
        for _ in range(places // 2):
            self._welcome()

    def next_round(self) -> list[Visitor]:
        """The visitors of the next round, after arrivals and departures."""
        self._round += 1
        self._visitors = [v for v in self._visitors if v.last_round >= self._round]
        while len(self._visitors) < self._places and happens(self._rng, _ARRIVES):
            self._welcome()
        return self._visitors

    def _welcome(self) -> None:
        newcomer = regular(self._rng)
        if any(visitor.customer.number == newcomer.number for visitor in self._visitors):
            return
        taken = tuple(box for visitor in self._visitors for box in visitor.boxes)
        boxes = self._choose_boxes(self._rng, taken)
        last_round = self._round + between(self._rng, *_STAY)
        self._visitors.append(Visitor(newcomer, boxes, last_round))


def crowd_of(rng: Random, *, count: int) -> Iterator[Customer]:
    """``count`` customers who are no regulars, for a crowded round."""
    first = between(rng, REGULARS, MOST_CUSTOMERS - count)
    return map(customer, range(first, first + count))
