"""Playing: the load, with each fault at its time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.soak.faults import ACTIONS, World
from benchmarks.soak.samples import Sampler
from benchmarks.soak.schedule import CLOCK_IS_WRONG_BY, RECOVERS_WITHIN, Fault, latest_end

_CALM: Final = 3
"""So many samples that everything is well, one after the other, mean that it is."""
_CALLS_WITHIN: Final = 30.0
"""Seconds after a fault in which calls may still fail."""


@dataclass
class Played:
    """What was played, in seconds since 1970."""

    began: float
    ended: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    """With the seconds at which they really began."""
    failed: list[str] = field(default_factory=list)
    """Faults that could not be played, as sentences."""

    def stops_calls(self, at: float, *, seconds: float = 0) -> bool:
        """Whether a call may fail that began then: it met a fault that says so, or was soon after.

        A call that waits longer than a fault lasts begins before it and ends after it.
        """
        stopping = [it for it in self.faults if it.kind.stops_calls]
        return self._meets(stopping, at, seconds)

    def stops_people(self, at: float, *, seconds: float) -> bool:
        """Whether people in a browser may fail then, where programs do not."""
        stopping = [it for it in self.faults if it.kind.stops_people]
        return self._meets(stopping, at, seconds)

    def earliest_meant(self, at: float) -> float:
        """The earliest time at which a web host may have said that it is ``at``."""
        before = at - CLOCK_IS_WRONG_BY
        ahead = [it for it in self.faults if it.kind.name == "web-clock-ahead"]
        is_wrong = any(self.began + it.at <= before <= self.began + it.until for it in ahead)
        return before if is_wrong else at

    def _meets(self, faults: Sequence[Fault], at: float, seconds: float) -> bool:
        return any(
            self.began + fault.at <= at + seconds and at <= self.began + fault.until + _CALLS_WITHIN
            for fault in faults
        )


def play(world: World, faults: Sequence[Fault], sampler: Sampler, *, seconds: float) -> Played:
    """Begins the load, plays the faults, and ends the load.

    A fault comes at its time, or once everything is well again after the one before; in the end
    there is no time left for some of them.
    """
    played = Played(began=time.time())
    world.load.start()
    for fault in faults:
        _sleep_until(played.began + fault.at)
        _wait_until_well(sampler)
        if time.time() - played.began + fault.kind.seconds > latest_end(seconds):
            break
        began = time.time() - played.began
        print(f"{began:6.0f} s  {fault.kind.name}", flush=True)
        try:
            ACTIONS[fault.kind.name].begin(world, fault)
            _sleep_until(played.began + began + fault.kind.seconds)
        finally:
            if not fault.kind.lasts:
                _end(world, fault, played)
        played.faults.append(fault._replace(at=began))
    _sleep_until(played.began + seconds)
    for fault in played.faults:
        if fault.kind.lasts:
            _end(world, fault, played)
    world.load.end()
    played.ended = time.time()
    return played


def _end(world: World, fault: Fault, played: Played) -> None:
    try:
        ACTIONS[fault.kind.name].end(world, fault)
    except Exception as error:  # noqa: BLE001  the soak goes on, and fails with it
        played.failed.append(f"{fault.kind.name} did not end: {type(error).__name__}: {error}")


def _wait_until_well(sampler: Sampler) -> None:
    deadline = time.time() + RECOVERS_WITHIN
    while time.time() < deadline and not all(it.is_well for it in sampler.samples[-_CALM:]):
        time.sleep(0.5)


def _sleep_until(moment: float) -> None:
    time.sleep(max(0, moment - time.time()))


def recovery_seconds(fault: Fault, played: Played, sampler: Sampler) -> float | None:
    """Seconds from the end of a fault until everything was well; None if it was not in time.

    For a kill they count from the kill.
    """
    end = played.began + fault.until
    samples = [it for it in sampler.samples if end <= it.at <= end + RECOVERS_WITHIN]
    for number, sample in enumerate(samples):
        following = samples[number : number + _CALM]
        if all(one.is_well for one in following):
            return 0.0 if number == 0 else sample.at - end
    return None
