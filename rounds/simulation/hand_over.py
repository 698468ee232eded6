"""What a table hands over, in its order: shoes, rounds, and now and then something broken."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from rounds.rules.facts import Round, ShoeOpening
from rounds.simulation.chance import between, generator
from rounds.simulation.customers import MOST_CUSTOMERS, REGULARS, Customer, customer
from rounds.simulation.faults.fault import Fault, Scene
from rounds.simulation.faults.mishaps import Mishap, Mishaps
from rounds.simulation.identifiers import participation_id
from rounds.simulation.table import Table


class HandedOver(NamedTuple):
    """Something that a table hands over ``at`` a time, in milliseconds since 1970.

    ``said`` is the line itself where the document is broken. ``fault`` is the truth about it, None
    for what is in order.
    """

    at: int
    said: Round | ShoeOpening | str
    fault: Fault | None = None

    @property
    def is_round(self) -> bool:
        """Whether it is one of the rounds that were ordered: no shoe, no broken document."""
        return isinstance(self.said, Round)


def hand_over(table: Table, *, seed: str, faults: float) -> Iterator[HandedOver]:
    """Everything that a table hands over, without end; ``faults`` is the share that is wrong."""
    rng = generator(seed, table.place.code, "faults")
    mishaps = Mishaps(rule_set=table.place.game.rule_set, share=faults, rng=rng)
    while True:
        opening = table.open_shoe_if_due()
        if opening is not None:
            yield HandedOver(opening.opened_at, opening)
        dealt = table.deal_round()
        mishap = mishaps.strike(dealt, _scene(table, dealt, rng)) if mishaps.are_due() else None
        if mishap is None:
            yield HandedOver(dealt.ended_at, dealt)
        else:
            dealt = mishap.handed_over
            yield from _with_mishap(mishap)
        table.record(dealt)


def _with_mishap(mishap: Mishap) -> Iterator[HandedOver]:
    dealt, fault = mishap.handed_over, mishap.fault
    if mishap.line_before is not None:
        yield HandedOver(dealt.ended_at, mishap.line_before, fault)
    lines = (mishap.line_before, mishap.line_after)
    yield HandedOver(dealt.ended_at, dealt, fault if lines == (None, None) else None)
    if mishap.line_after is not None:
        yield HandedOver(dealt.ended_at, mishap.line_after, fault)


def _scene(table: Table, dealt: Round, rng: Random) -> Scene:
    passer_by = _passer_by(dealt, rng)
    return Scene(
        rng=rng,
        shoe=table.shoe,
        known=table.known,
        rule_set=table.place.game.rule_set,
        blaze=table.place.game.blaze,
        passer_by=passer_by,
        participation=participation_id(
            table=table.place.number, opened_at=dealt.opened_at, customer=passer_by.number
        ),
    )


def _passer_by(dealt: Round, rng: Random) -> Customer:
    players = {bet.player for bet in dealt.bets}
    while True:
        somebody = customer(between(rng, REGULARS, MOST_CUSTOMERS - 1))
        if somebody.pseudonym not in players:
            return somebody
