"""A simulated casino: the documents of all its tables in the order of time."""

import heapq
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rounds.feed import document_of, document_of_shoe
from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.faults.documents import write_line
from rounds.simulation.faults.fault import Fault
from rounds.simulation.games import GAMES, table_codes
from rounds.simulation.table import Place, Table
from rounds.simulation.table_feed import FeedItem, table_feed

MOST_BETS: Final = 500_000
"""The greatest ``bets_per_round``: with insurances, a round stays within the feed's limit."""


class Order(NamedTuple):
    """The parameters of a simulation."""

    games: Sequence[str]
    """Names of ``GAMES``."""
    rounds: int
    """The number of rounds in all, at least one; invalid documents are additional."""
    seed: str
    start: int
    """When the tables open, in milliseconds since 1970."""
    tables: int = 1
    """The number of tables of each game."""
    faults: float = 0.0
    """The share of faulty rounds, 0 to 1."""
    bets_per_round: int = 0
    """The minimal number of bets of a round, 0 for the visitors' bets only."""


class FeedLine(NamedTuple):
    """One line of a feed, without its line end, and its fault, if any."""

    text: str
    fault: Fault | None
    is_round: bool
    """Whether it is one of the ordered rounds, not a shoe or an invalid document."""


def simulate(order: Order) -> Iterator[FeedLine]:
    """The feed of an order, line by line, in constant memory; deterministic."""
    return map(_write, simulated_items(order))


def simulated_items(order: Order) -> Iterator[FeedItem]:
    """The items of the feed before serialization."""
    streams = [
        table_feed(table, seed=order.seed, faults=order.faults) for table in _open_tables(order)
    ]
    left = order.rounds
    for item in heapq.merge(*streams, key=lambda item: item.at):
        yield item
        left -= item.is_round
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


def _write(item: FeedItem) -> FeedLine:
    payload = item.payload
    if isinstance(payload, Round):
        text = write_line(document_of(payload))
    elif isinstance(payload, ShoeOpening):
        text = write_line(document_of_shoe(payload))
    else:
        text = payload
    return FeedLine(text, item.fault, item.is_round)
