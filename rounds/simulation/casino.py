"""A house full of tables: their documents in the order of time."""

import heapq
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rounds.feed import document_of, document_of_shoe
from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.faults.documents import write_line
from rounds.simulation.faults.fault import Fault
from rounds.simulation.games import GAMES, table_codes
from rounds.simulation.hand_over import HandedOver, hand_over
from rounds.simulation.table import Place, Table

MOST_BETS: Final = 500_000
"""The most ``bets_per_round``: with insurances on top, the feed still takes such a round."""


class Order(NamedTuple):
    """What is to be simulated."""

    games: Sequence[str]
    """Names of ``GAMES``."""
    rounds: int
    """How many rounds in all, at least one; broken documents come on top."""
    seed: str
    start: int
    """When the tables open, in milliseconds since 1970."""
    tables: int = 1
    """How many tables each game has."""
    faults: float = 0.0
    """The share of rounds that go wrong, 0 to 1."""
    bets_per_round: int = 0
    """How many bets a round draws at least, 0 for what the visitors stake."""


class FeedLine(NamedTuple):
    """One line of a feed, without its line end, and the fault that is in it, None for none."""

    text: str
    fault: Fault | None
    is_round: bool
    """Whether it holds one of the rounds that were ordered: no shoe, no broken document."""


def simulate(order: Order) -> Iterator[FeedLine]:
    """The feed of an order, line by line, in constant memory: the same order, the same bytes."""
    return map(_write, hand_over_in_order(order))


def hand_over_in_order(order: Order) -> Iterator[HandedOver]:
    """The same as facts, as what each line holds before it is written."""
    streams = [
        hand_over(table, seed=order.seed, faults=order.faults) for table in _open_tables(order)
    ]
    left = order.rounds
    for handed_over in heapq.merge(*streams, key=lambda handed_over: handed_over.at):
        yield handed_over
        left -= handed_over.is_round
        if not left:
            return


def _open_tables(order: Order) -> Iterator[Table]:
    for name in order.games:
        simulated = GAMES[name]
        for number, code in enumerate(table_codes(name, count=order.tables), start=1):
            place = Place(code, simulated.first_number + number, simulated.game)
            yield Table(
                place=place,
                seed=order.seed,
                start=order.start,
                bets_per_round=order.bets_per_round,
            )


def _write(handed_over: HandedOver) -> FeedLine:
    said = handed_over.said
    if isinstance(said, Round):
        text = write_line(document_of(said))
    elif isinstance(said, ShoeOpening):
        text = write_line(document_of_shoe(said))
    else:
        text = said
    return FeedLine(text, handed_over.fault, handed_over.is_round)
