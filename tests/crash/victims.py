"""Whom `kill -9` meets: every part of a casino that settles, in every way it can be met."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from tests.crash.gauge import Gauge
from tests.crash.studios import Lane
from tests.crash.supervised import SupervisedCasino, children_of, kill, kill_with_children


class Victim(NamedTuple):
    """A part of the casino; ``strike`` kills it and tells whether it was there."""

    name: str
    strike: Callable[[], bool]


def deal_victims(
    casino: SupervisedCasino, lanes: list[Lane], gauge: Gauge, chance: Random
) -> Iterator[Victim]:
    """Victims without end: decks of all there are, each deck shuffled."""

    def a_child(pid: int | None) -> bool:
        children = children_of(pid)
        return bool(children) and kill(chance.choice(children))

    def a_transaction() -> bool:
        standing = gauge.read()
        at_work = standing.at_work if standing else []
        return kill(chance.choice(at_work)) if at_work else a_child(casino.postgres.pid)

    def an_ingest() -> bool:
        at_work = [lane.pid for lane in lanes if lane.pid is not None]
        return bool(at_work) and kill(chance.choice(at_work))

    worker, beat = casino.worker, casino.beat
    broker = Victim("broker", lambda: kill(casino.broker.pid))
    power_cut = Victim("PostgreSQL", lambda: kill_with_children(casino.postgres.pid))
    whole_worker = Victim("worker", lambda: casino.kill_program(worker, with_its_own=True))
    deck = [
        *(broker, broker, power_cut, whole_worker, whole_worker),
        Victim("worker's master", lambda: casino.kill_program(worker, with_its_own=False)),
        Victim("worker's process", lambda: a_child(worker.pid)),
        Victim("postmaster", lambda: kill(casino.postgres.pid)),
        Victim("PostgreSQL's process", lambda: a_child(casino.postgres.pid)),
        Victim("transaction", a_transaction),
        Victim("ingest", an_ingest),
        Victim("beat", lambda: casino.kill_program(beat, with_its_own=True)),
    ]
    while True:
        yield from chance.sample(deck, len(deck))
