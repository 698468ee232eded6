"""A storm of kills over a casino under load: seeded, and bounded in all that it waits for."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Final

from tests.crash.gauge import Gauge
from tests.crash.studios import Lane
from tests.crash.supervised import SupervisedCasino, last_lines
from tests.crash.victims import deal_victims

_PATIENCE_SECONDS: Final = 90
_POLL_SECONDS: Final = 0.03
_log = logging.getLogger(__name__)


class Moment(Enum):
    """When a kill comes."""

    WHENEVER = auto()
    """Whatever the casino does, also while it gets up again."""
    WORK_WAITS = auto()
    """Soon after rounds wait, once some were settled since the last kill."""
    AT_WORK = auto()
    """In the middle of a transaction, once some rounds were settled since the last kill."""


_MOMENTS: Final = [Moment.WHENEVER] * 4 + [Moment.WORK_WAITS] * 2 + [Moment.AT_WORK] * 4


@dataclass
class Figures:
    """What the storm did."""

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
    """Kills, and meanwhile does what a supervisor and an operator do."""

    def __init__(
        self, casino: SupervisedCasino, lanes: list[Lane], gauge: Gauge, *, seed: int
    ) -> None:
        self._casino, self._lanes, self._gauge = casino, lanes, gauge
        self._chance = Random(seed)
        self._victims = deal_victims(casino, lanes, gauge, self._chance)
        self._moments = self._deal_moments()
        self._settled = 0
        self.figures = Figures()

    def rage(self, *, kills: int) -> Figures:
        """So many kills at random moments, most of them when there is work to cut off."""
        self._wait_until(self._has_progressed, what="the first rounds are settled")
        while self.figures.kills.total() < kills:
            self._work(self._chance.uniform(-0.3, 0.9))
            self._await(next(self._moments))
            self._strike()
        return self.figures

    def pass_over(self) -> None:
        """Lets everything come to its end: nothing more is dealt, and nothing killed."""
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
        standing = self._gauge.read()
        victim = next(self._victims)
        if not victim.strike():
            self.figures.missed += 1
            return
        self.figures.kills[victim.name] += 1
        _log.info("killed %s at %s", victim.name, standing)
        if standing is not None:
            self.figures.in_flight += standing.waiting > 0
            self.figures.cut += bool(standing.at_work)
            self.figures.after_progress += standing.settled > self._settled
            self._settled = standing.settled

    def _work(self, seconds: float) -> None:
        """Looks after the casino for a while; not at all if it is less than nothing."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._look_after()

    def _look_after(self, *, deals: bool = True) -> bool:
        """Whether there is still something to bring in."""
        self._casino.look_after()
        is_there = self._gauge.read() is not None
        left = [lane.go_on(deals=deals) for lane in self._lanes] if is_there else [True]
        time.sleep(_POLL_SECONDS)
        return any(left)

    def _has_progressed(self) -> bool:
        self._look_after()
        standing = self._gauge.read()
        return standing is not None and standing.settled > self._settled

    def _has_work(self) -> bool:
        self._look_after()
        standing = self._gauge.read()
        return standing is not None and standing.waiting > 0

    def _is_at_work(self) -> bool:
        self._look_after()
        standing = self._gauge.read()
        return standing is not None and standing.waiting > 0 and len(standing.at_work) > 0

    def _is_over(self) -> bool:
        is_brought_in = not self._look_after(deals=False)
        standing = self._gauge.read()
        return is_brought_in and standing is not None and standing.waiting == 0

    def _wait_until(self, condition: Callable[[], bool], *, what: str) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"not within {_PATIENCE_SECONDS} seconds: {what}; {self._gauge.read()};"
                    f" {self.figures}; the worker said:\n{last_lines(self._casino.worker.log)}"
                )
