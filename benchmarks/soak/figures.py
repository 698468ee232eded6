"""Figures of a soak: failed calls, latencies, memory, rates."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import linear_regression, median, quantiles
from typing import Final, NamedTuple

from benchmarks.soak.load.calls import NO_ANSWER, Call
from benchmarks.soak.play import Played
from benchmarks.soak.samples import Memory, Sample
from benchmarks.soak.schedule import Fault

_SERVER_ERROR: Final = 500
_ANSWER_SECONDS: Final = 5
_LEAST_SECONDS: Final = 1_200
"""A shorter life says nothing: for ten minutes a process loads its code and fills its caches."""
_LEAK_SHARE: Final = 0.10
_LEAK_KB: Final = 20_000
_AN_HOUR: Final = 3_600
_FEW: Final = 2


class FailedCalls(NamedTuple):
    """Attempts that were answered with 5xx or not at all."""

    inside: Sequence[Call]
    """While a fault that may stop calls was played, or in the time to recover from it."""
    outside: Sequence[Call]


def calls_that_failed(calls: Sequence[Call], played: Played) -> FailedCalls:
    """Failed attempts, by whether a fault explains them."""
    failed = [call for call in calls if call.status >= _SERVER_ERROR or call.status == NO_ANSWER]
    inside = [call for call in failed if _is_explained(call, played)]
    return FailedCalls(inside, [call for call in failed if call not in set(inside)])


def _is_explained(call: Call, played: Played) -> bool:
    in_browser = call.what.startswith("browser")
    return (
        in_browser and played.stops_people(call.at, seconds=call.seconds)
    ) or played.stops_calls(call.at, seconds=call.seconds)


def refused_signatures(
    refused: Sequence[float], played: Played
) -> tuple[Sequence[str], Sequence[float]]:
    """The wrong clocks for which no signed request was refused, and the refusals without one.

    The clocks are the names of their faults. A request may be answered while a clock is set right.
    """
    wrong = [fault for fault in played.faults if fault.kind.refuses_signatures]

    def is_due_to(fault: Fault, at: float) -> bool:
        return fault.at <= at - played.began <= fault.until + _ANSWER_SECONDS

    missing = [it.kind.name for it in wrong if not any(is_due_to(it, at) for at in refused)]
    groundless = [at for at in refused if not any(is_due_to(it, at) for it in wrong)]
    return missing, groundless


class Latency(NamedTuple):
    """The times of some calls, in seconds."""

    calls: int
    median: float
    p95: float
    longest: float


def latency_of(calls: Iterable[Call]) -> Latency | None:
    """The latencies of the calls that were answered; None for fewer than two."""
    seconds = sorted(call.seconds for call in calls if 0 < call.status < _SERVER_ERROR)
    if len(seconds) < _FEW:
        return None
    return Latency(len(seconds), median(seconds), quantiles(seconds, n=20)[-1], seconds[-1])


class Growth(NamedTuple):
    """How the memory of a process changed in the second half of its longest life.

    By lines through both halves of this time, of which the flatter one counts: what is loaded once,
    as for the first error of a kind, is a step and no growth.
    """

    name: str
    seconds: float
    first_kb: int
    """By the fitted line, at its beginning and its end."""
    last_kb: int
    kb_per_hour: float

    @property
    def is_leak(self) -> bool:
        """Whether it is more than a tenth and twenty megabytes."""
        grown = self.last_kb - self.first_kb
        return grown > max(_LEAK_SHARE * self.first_kb, _LEAK_KB)


def memory_growth(samples: Sequence[Memory]) -> list[Growth]:
    """Of each process that lived long enough for a figure."""
    by_life: dict[tuple[str, tuple[int, ...]], list[Memory]] = defaultdict(list)
    for sample in samples:
        by_life[sample.name, sample.pids].append(sample)
    growths = [growth for life in by_life.values() if (growth := _growth_of(life)) is not None]
    growths.sort(key=lambda growth: (growth.name, -growth.seconds))
    return [next(lives) for _name, lives in groupby(growths, key=lambda growth: growth.name)]


def _growth_of(life: Sequence[Memory]) -> Growth | None:
    seconds = life[-1].at - life[0].at
    warm = [it for it in life if it.at - life[0].at >= seconds / 2]
    if seconds < _LEAST_SECONDS:
        return None
    lasted = warm[-1].at - warm[0].at
    begun = [it for it in warm if it.at - warm[0].at <= lasted / 2]
    ended = [it for it in warm if it.at - warm[0].at >= lasted / 2]
    if min(len(begun), len(ended)) < _FEW:
        return None
    (slope, first), (slope_to_end, _) = _line_of(begun), _line_of(ended)
    slope = min(slope, slope_to_end)
    return Growth(warm[0].name, lasted, int(first), int(first + slope * lasted), slope * _AN_HOUR)


def _line_of(samples: Sequence[Memory]) -> tuple[float, float]:
    """The slope of a line through the samples, and where it begins."""
    times = [it.at - samples[0].at for it in samples]
    slope, first = linear_regression(times, [it.kb for it in samples])
    return slope, first


def rates(samples: Sequence[Sample], *, every: float) -> Iterator[tuple[float, float]]:
    """Rounds settled a second, in steps of so many seconds; without the times of no answer."""
    known = [it for it in samples if it.settled is not None]
    stepped = [next(group) for _, group in groupby(known, key=lambda it: int(it.at / every))]
    for before, after in pairwise(stepped):
        if before.settled is not None and after.settled is not None:
            yield after.at, max(0, after.settled - before.settled) / (after.at - before.at)
