"""Figures of a soak: which calls may fail, when memory leaks, how fast rounds are settled."""

from collections.abc import Sequence

import pytest

from benchmarks.soak.figures import (
    calls_that_failed,
    latency_of,
    memory_growth,
    rates,
    refused_signatures,
)
from benchmarks.soak.load.calls import Call
from benchmarks.soak.play import Played
from benchmarks.soak.samples import Memory, Sample
from benchmarks.soak.schedule import KINDS, Fault

BEGAN = 1_000_000.0
PLAYED = Played(
    BEGAN,
    faults=[Fault(KINDS["primary-down"], 100, 0), Fault(KINDS["broker-cut"], 300, 0)],
)
"""The primary is down from 100 s to 145 s; the broker is cut, which stops no call."""


def call(at: float, *, status: int = 500, seconds: float = 0.1) -> Call:
    """A call that began at this second of the soak."""
    return Call(BEGAN + at, "api GET rounds", seconds, status)


class TestCallsThatFail:
    @pytest.mark.parametrize("failed", [call(110), call(170), call(110, status=0)])
    def test_in_a_fault_of_the_database_are_explained(self, failed: Call) -> None:
        """Or within half a minute after it, with 5xx or without an answer."""
        assert calls_that_failed([failed], PLAYED) == ([failed], [])

    def test_that_began_before_it_are_explained_if_they_ended_in_it(self) -> None:
        """They waited for the database."""
        waited = call(98, seconds=5)

        assert calls_that_failed([waited], PLAYED) == ([waited], [])

    def test_that_waited_longer_than_it_lasts_are_explained(self) -> None:
        """They began before it, and ended more than half a minute after it."""
        waited = call(98, seconds=80)

        assert calls_that_failed([waited], PLAYED) == ([waited], [])

    @pytest.mark.parametrize("at", [50, 176, 320])
    def test_at_other_times_are_not(self, at: float) -> None:
        """Before, after, and in a fault of the broker."""
        assert calls_that_failed([call(at)], PLAYED) == ([], [call(at)])

    def test_are_not_those_that_are_refused(self) -> None:
        """A conflict is an answer."""
        assert calls_that_failed([call(50, status=409)], PLAYED) == ([], [])


class TestThingsInABrowser:
    PLAYED = Played(BEGAN, faults=[Fault(KINDS["web-clock-back"], 100, 0)])
    """From 100 s to 150 s; a person's code is refused by that host."""

    def test_may_fail_while_the_clock_of_a_web_host_is_wrong(self) -> None:
        """A call of a program may not."""
        in_browser = call(110, status=0)._replace(what="browser an approval")

        failed = calls_that_failed([in_browser, call(110)], self.PLAYED)

        assert failed == ([in_browser], [call(110)])


class TestRefusedSignatures:
    CLOCK = Fault(KINDS["studio-clock-ahead"], 100, 0)
    """From 100 s to 150 s."""

    def refused(self, *at: float) -> tuple[Sequence[str], Sequence[float]]:
        """What is missing and what is groundless, in seconds of the soak."""
        played = Played(BEGAN, faults=[self.CLOCK])
        missing, groundless = refused_signatures([BEGAN + it for it in at], played)
        return missing, [it - BEGAN for it in groundless]

    def test_of_a_wrong_clock_are_expected(self) -> None:
        """Also those that were answered while it was set right."""
        assert self.refused(101, 140, 153) == ([], [])

    def test_are_missed_if_there_is_none(self) -> None:
        """The time of a signature was not compared."""
        assert self.refused() == (["studio-clock-ahead"], [])

    def test_at_other_times_are_groundless(self) -> None:
        """Before and after."""
        assert self.refused(99, 110, 156) == ([], [99, 156])


class TestMemory:
    @property
    def flat(self) -> list[Memory]:
        """A life of forty minutes without growth."""
        return self.life(pid=1, kb_per_minute=0)

    def life(self, *, pid: int, kb_per_minute: int, minutes: int = 40) -> list[Memory]:
        """A worker that begins with 100,000 kB; the first half of its life does not count."""
        return [
            Memory(BEGAN + 60 * minute, "worker-1", (pid,), 100_000 + kb_per_minute * minute)
            for minute in range(minutes + 1)
        ]

    def test_that_grows_is_a_leak(self) -> None:
        """By 40 MB in 20 minutes: 120 MB an hour."""
        [growth] = memory_growth(self.life(pid=1, kb_per_minute=2_000))

        assert (growth.first_kb, growth.last_kb) == (140_000, 180_000)
        assert round(growth.kb_per_hour) == 120_000
        assert growth.is_leak

    def test_that_is_flat_is_none(self) -> None:
        """By 2 MB."""
        [growth] = memory_growth(self.life(pid=1, kb_per_minute=100))

        assert not growth.is_leak

    def test_that_is_taken_once_is_none(self) -> None:
        """A step of 40 MB in the middle: something is loaded for the first time."""
        life = [it._replace(kb=100_000 + 40_000 * (it.at > BEGAN + 1_800)) for it in self.flat]

        [growth] = memory_growth(life)

        assert (growth.kb_per_hour, growth.is_leak) == (0, False)

    def test_that_grows_by_steps_is_a_leak(self) -> None:
        """By 10 MB every five minutes."""
        life = [it._replace(kb=100_000 + 10_000 * int((it.at - BEGAN) / 300)) for it in self.flat]

        [growth] = memory_growth(life)

        assert growth.is_leak

    def test_is_that_of_the_longest_life(self) -> None:
        """A process that was killed begins again."""
        leaking, flat = (
            self.life(pid=1, kb_per_minute=1_000, minutes=20),
            self.life(pid=2, kb_per_minute=0),
        )

        growths = memory_growth([*leaking, *flat])

        assert [(it.name, it.kb_per_hour) for it in growths] == [("worker-1", 0)]

    def test_of_a_short_life_says_nothing(self) -> None:
        """Nineteen minutes."""
        assert memory_growth(self.life(pid=1, kb_per_minute=1_000, minutes=19)) == []


def test_latencies_are_of_answers_alone() -> None:
    """Twenty answers of 10 ms to 200 ms; what failed was no answer."""
    answered = [call(1, status=200, seconds=number / 100) for number in range(1, 21)]

    latency = latency_of([*answered, call(1, seconds=60)])

    assert latency is not None
    assert (latency.calls, latency.longest) == (20, 0.2)
    assert latency.median == pytest.approx(0.105)
    assert 0.19 < latency.p95 < 0.2


def test_rates_leave_out_the_time_without_answers() -> None:
    """Ten rounds in ten seconds, nothing known for ten, thirty in the twenty seconds around."""
    known = {0: 0, 10: 10, 20: None, 30: 40}
    samples = [
        Sample(BEGAN + at, settled, age=0, connections=1, is_well=True)
        for at, settled in known.items()
    ]

    assert list(rates(samples, every=10)) == [(BEGAN + 10, 1.0), (BEGAN + 30, 1.5)]
