"""The feed of one table: shoes and rounds in order, some of them faulty."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.chance import between, generator
from rounds.simulation.customers import MOST_CUSTOMERS, REGULARS, Customer, customer
from rounds.simulation.faults.fault import Fault, Scene
from rounds.simulation.faults.inject import FaultInjector, FaultyRound
from rounds.simulation.identifiers import participation_id
from rounds.simulation.table import Table


class FeedItem(NamedTuple):
    """An item of the feed at a time in milliseconds since 1970, with its fault, if any.

    ``payload`` is the line itself for an invalid document.
    """

    at: int
    payload: Round | ShoeOpening | str
    fault: Fault | None = None

    @property
    def is_round(self) -> bool:
        """Whether it is one of the ordered rounds, not a shoe or an invalid document."""
        return isinstance(self.payload, Round)


def table_feed(table: Table, *, seed: str, faults: float) -> Iterator[FeedItem]:
    """The endless feed of a table; ``faults`` is the share of faulty rounds."""
    rng = generator(seed, table.place.code, "faults")
    injector = FaultInjector(rule_set=table.place.game.rule_set, share=faults, rng=rng)
    while True:
        opening = table.open_shoe_if_due()
        if opening is not None:
            yield FeedItem(opening.opened_at, opening)
        dealt = table.deal_round()
        faulty = injector.strike(dealt, _scene(table, dealt, rng)) if injector.are_due() else None
        if faulty is None:
            yield FeedItem(dealt.ended_at, dealt)
        else:
            dealt = faulty.delivered
            yield from _with_faulty(faulty)
        table.record(dealt)


def _with_faulty(faulty: FaultyRound) -> Iterator[FeedItem]:
    dealt, fault = faulty.delivered, faulty.fault
    if faulty.line_before is not None:
        yield FeedItem(dealt.ended_at, faulty.line_before, fault)
    lines = (faulty.line_before, faulty.line_after)
    yield FeedItem(dealt.ended_at, dealt, fault if lines == (None, None) else None)
    if faulty.line_after is not None:
        yield FeedItem(dealt.ended_at, faulty.line_after, fault)


def _scene(table: Table, dealt: Round, rng: Random) -> Scene:
    outsider = _outsider(dealt, rng)
    return Scene(
        rng=rng,
        shoe=table.shoe,
        known=table.known,
        rule_set=table.place.game.rule_set,
        blaze=table.place.game.blaze,
        outsider=outsider,
        participation=participation_id(
            table=table.place.number, opened_at=dealt.opened_at, customer=outsider.number
        ),
    )


def _outsider(dealt: Round, rng: Random) -> Customer:
    players = {bet.player for bet in dealt.bets}
    while True:
        outsider = customer(between(rng, REGULARS, MOST_CUSTOMERS - 1))
        if outsider.pseudonym not in players:
            return outsider
