"""Random kills of a casino under load: seeded, with limits for every wait."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Final

from tests.crash.casino_state import StateReader
from tests.crash.feed_load import Lane
from tests.crash.kill_targets import deal_kill_targets
from tests.crash.supervised_casino import SupervisedCasino, last_lines

_WAIT_SECONDS: Final = 90
_POLL_SECONDS: Final = 0.03
_log = logging.getLogger(__name__)


class Moment(Enum):
    """When a kill happens."""

    WHENEVER = auto()
    """At any moment, also while the casino restarts."""
    WORK_WAITS = auto()
    """Soon after rounds wait, once some were settled since the last kill."""
    AT_WORK = auto()
    """In the middle of a transaction, once some rounds were settled since the last kill."""


_MOMENTS: Final = [Moment.WHENEVER] * 4 + [Moment.WORK_WAITS] * 2 + [Moment.AT_WORK] * 4


@dataclass
class Figures:
    """Counts of the storm."""

    kills: Counter[str] = field(default_factory=Counter)
    """By victim, those that were there."""
    missed: int = 0
    in_flight: int = 0
    """Kills while rounds waited."""
    cut: int = 0
    """Kills while a transaction was open."""
    after_progress: int = 0
    """Kills before which rounds were settled since the last one."""


class Storm:
    """Kills processes, and meanwhile restarts them like a supervisor and an operator."""

    def __init__(
        self, casino: SupervisedCasino, lanes: list[Lane], reader: StateReader, *, seed: int
    ) -> None:
        self._casino, self._lanes, self._reader = casino, lanes, reader
        self._chance = Random(seed)
        self._targets = deal_kill_targets(casino, lanes, reader, self._chance)
        self._moments = self._deal_moments()
        self._settled = 0
        self.figures = Figures()

    def run(self, *, kills: int) -> Figures:
        """Performs this many kills at random times, most of them while work is in progress."""
        self._wait_until(self._has_progressed, what="the first rounds are settled")
        while self.figures.kills.total() < kills:
            self._work(self._chance.uniform(-0.3, 0.9))
            self._await(next(self._moments))
            self._strike()
        return self.figures

    def finish(self) -> None:
        """Waits until all work is done: nothing more is dealt or killed."""
        self._wait_until(self._is_over, what="every file is brought in and no round waits")

    def _deal_moments(self) -> Iterator[Moment]:
        while True:
            yield from self._chance.sample(_MOMENTS, len(_MOMENTS))

    def _await(self, moment: Moment) -> None:
        if moment is Moment.WHENEVER:
            return
        self._wait_until(self._has_progressed, what="rounds are settled after a kill")
        if moment is Moment.AT_WORK:
            self._wait_until(self._is_at_work, what="a transaction is open while rounds wait")
        else:
            self._wait_until(self._has_work, what="rounds wait")
            time.sleep(self._chance.uniform(0, 0.1))

    def _strike(self) -> None:
        state = self._reader.read()
        target = next(self._targets)
        if not target.strike():
            self.figures.missed += 1
            return
        self.figures.kills[target.name] += 1
        _log.info("killed %s at %s", target.name, state)
        if state is not None:
            self.figures.in_flight += state.waiting > 0
            self.figures.cut += bool(state.at_work)
            self.figures.after_progress += state.settled > self._settled
            self._settled = state.settled

    def _work(self, seconds: float) -> None:
        """Supervises the casino for this time; not at all if it is negative."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._supervise()

    def _supervise(self, *, deals: bool = True) -> bool:
        """Whether there are still files to ingest."""
        self._casino.restart_ended()
        is_there = self._reader.read() is not None
        left = [lane.go_on(deals=deals) for lane in self._lanes] if is_there else [True]
        time.sleep(_POLL_SECONDS)
        return any(left)

    def _has_progressed(self) -> bool:
        self._supervise()
        state = self._reader.read()
        return state is not None and state.settled > self._settled

    def _has_work(self) -> bool:
        self._supervise()
        state = self._reader.read()
        return state is not None and state.waiting > 0

    def _is_at_work(self) -> bool:
        self._supervise()
        state = self._reader.read()
        return state is not None and state.waiting > 0 and len(state.at_work) > 0

    def _is_over(self) -> bool:
        is_brought_in = not self._supervise(deals=False)
        state = self._reader.read()
        return is_brought_in and state is not None and state.waiting == 0

    def _wait_until(self, condition: Callable[[], bool], *, what: str) -> None:
        deadline = time.monotonic() + _WAIT_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"not within {_WAIT_SECONDS} seconds: {what}; {self._reader.read()};"
                    f" {self.figures}; the worker said:\n{last_lines(self._casino.worker.log)}"
                )
