"""The kill targets: every process of a casino, alone or with its children."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from tests.crash.casino_state import StateReader
from tests.crash.feed_load import Lane
from tests.crash.supervised_casino import SupervisedCasino, children_of, kill, kill_with_children


class KillTarget(NamedTuple):
    """A part of the casino; ``strike`` kills it and returns whether it was running."""

    name: str
    strike: Callable[[], bool]


def deal_kill_targets(
    casino: SupervisedCasino, lanes: list[Lane], reader: StateReader, chance: Random
) -> Iterator[KillTarget]:
    """Endless targets: shuffled decks of all of them."""

    def a_child(pid: int | None) -> bool:
        children = children_of(pid)
        return bool(children) and kill(chance.choice(children))

    def a_transaction() -> bool:
        state = reader.read()
        at_work = state.at_work if state else []
        return kill(chance.choice(at_work)) if at_work else a_child(casino.postgres.pid)

    def an_ingest() -> bool:
        at_work = [lane.pid for lane in lanes if lane.pid is not None]
        return bool(at_work) and kill(chance.choice(at_work))

    worker, beat = casino.worker, casino.beat
    broker = KillTarget("broker", lambda: kill(casino.broker.pid))
    power_cut = KillTarget("PostgreSQL", lambda: kill_with_children(casino.postgres.pid))
    whole_worker = KillTarget("worker", lambda: casino.kill_program(worker, with_its_own=True))
    deck = [
        *(broker, broker, power_cut, whole_worker, whole_worker),
        KillTarget("worker's master", lambda: casino.kill_program(worker, with_its_own=False)),
        KillTarget("worker's process", lambda: a_child(worker.pid)),
        KillTarget("postmaster", lambda: kill(casino.postgres.pid)),
        KillTarget("PostgreSQL's process", lambda: a_child(casino.postgres.pid)),
        KillTarget("transaction", a_transaction),
        KillTarget("ingest", an_ingest),
        KillTarget("beat", lambda: casino.kill_program(beat, with_its_own=True)),
    ]
    while True:
        yield from chance.sample(deck, len(deck))
