"""A program of the soak has the wall clock of its host, which steps while the program runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.soak.clocks import Clocks

_PROGRAM = """
import sys, time
for _line in sys.stdin:
    time.sleep(0.01)
    print(time.time() - time.clock_gettime(time.CLOCK_BOOTTIME), time.monotonic(), flush=True)
"""
"""Sleeps, which libfaketime breaks; then says its times, once a line."""
_STEP = 600


class Program:
    """A running program on a host."""

    def __init__(self, clocks: Clocks, host: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, **clocks.environment_of(host)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def times(self) -> tuple[float, float]:
        """Wall clock since the start of the machine, and monotonic clock."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("now\n")
        self._process.stdin.flush()
        wall, monotonic = self._process.stdout.readline().split()
        return float(wall), float(monotonic)

    def end(self) -> None:
        """Ends it."""
        self._process.communicate()


@pytest.fixture
def clocks(tmp_path: Path) -> Clocks:
    """Clocks of hosts; a compiler is there wherever the tests run."""
    made = Clocks(tmp_path / "clocks")
    assert made.can_step, "a C compiler is needed: apt-get install gcc libc6-dev"
    return made


@pytest.fixture
def program(clocks: Clocks) -> Iterator[Program]:
    """A program of a web host."""
    running = Program(clocks, "web-1")
    yield running
    running.end()


class TestAClock:
    @pytest.mark.parametrize("seconds", [_STEP, -_STEP])
    def test_steps_and_is_set_right(self, clocks: Clocks, program: Program, seconds: int) -> None:
        """The clock that measures how long something takes does not step."""
        before, first = program.times()

        clocks.step("web-1", seconds=seconds)
        stepped, second = program.times()
        clocks.step("web-1", seconds=0)
        right, third = program.times()

        assert round(stepped - before) == seconds
        assert round(right - before) == 0
        assert first < second < third < first + _STEP

    def test_is_that_of_one_host(self, clocks: Clocks, program: Program) -> None:
        """The other web host keeps its time."""
        before, _monotonic = program.times()

        clocks.step("web-2", seconds=_STEP)

        assert round(program.times()[0] - before) == 0


def test_without_a_compiler_no_clock_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs then run with the machine's clock, and the report names the faults as left out."""
    monkeypatch.setenv("PATH", str(tmp_path))

    clocks = Clocks(tmp_path / "clocks")

    assert not clocks.can_step
    assert clocks.environment_of("web-1") == {}
