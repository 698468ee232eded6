"""A pytest plugin that collects the tests once, and forks a process for each mutant."""

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count, islice
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final, Literal, NamedTuple

import pytest

from tests.mutants.calls import Calls, CallsOfTests, name_of
from tests.mutants.mutant import Mutant
from tests.mutants.replace_code import changed_function, functions_of
from tests.mutants.results import Results, Verdict
from tests.mutants.run_items import (
    KILLED,
    SURVIVED,
    FirstFailure,
    file_of,
    nearest_first,
    run_items,
)

_TIMES_THE_CONTROL: Final = 2
_UNLIMITED: Final = 3_600
_MOST_OCTETS: Final = 8 << 30
_FAULT: Final = 3
_FIRST: Final = 5


class Ended(NamedTuple):
    """A process that ran the tests."""

    verdict: Verdict | Literal["stopped"]
    failed_in: str
    seconds: float
    output: str


class Child(NamedTuple):
    """A process that runs the tests, and the files that it writes."""

    output: Path
    note: Path
    done: Callable[[Ended], None]


class MutantRun:
    """Runs mutants until all have run or the time is over."""

    def __init__(
        self, mutants: Iterable[Mutant], results: Results, folder: Path, arguments: list[str]
    ) -> None:
        self.mutants = list(mutants)
        self.results = results
        self.folder = folder
        self.arguments = arguments
        self.processes = 1
        self.seconds = 0
        self.ends_at = float("inf")
        self.failure = "the tests did not begin"
        """Why kills would prove nothing; empty once the tests have passed without a change."""
        self.stopped: list[str] = []
        """What was said by processes that ended in another way than by a test."""
        self._seconds = _UNLIMITED
        self._children: dict[int, Child] = {}
        self._numbers = count()
        self._called = Calls(
            tuple({str(Path(each.place.path).parent.resolve()) for each in self.mutants})
        )
        self._callers: dict[str, set[str]] = {}
        self._killers: Counter[str] = Counter()

    def note_calls(self) -> None:
        """Notes which functions run until the tests do: at import, or for parameters of tests.

        What they returned is there before a mutant is. So one of them that survives runs again, in
        a new process.
        """
        sys.setprofile(self._called.note)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests once."""
        sys.setprofile(None)
        if session.testsfailed or not session.items:
            self.failure = "the tests could not be collected"
            return True
        try:
            self.failure = self._run_control(session.items)
            if not self.failure:
                self._run_mutants(session.items)
        finally:
            while self._children:
                self._wait()
        return True

    def _run_control(self, items: list[pytest.Item]) -> str:
        """What is put in without a change has to survive in both ways; else what the tests said."""
        paths = sorted({mutant.place.path for mutant in self.mutants})
        same = [pair for path in paths for pair in functions_of(path)]
        source = Path(paths[0]).read_text()
        ended: list[Ended] = []
        called = self.folder / "calls.json"
        for run in (
            lambda note: self._run_noting_calls(same, items, note, called),
            lambda note: self._run_fresh(paths[0], source, note, self._first_files(items)),
        ):
            self._fork(run, ended.append)
            while self._children:
                self._wait()
        if called.exists():
            self._callers = {
                name: set(tests) for name, tests in json.loads(called.read_text()).items()
            }
        self._seconds = self.seconds + _TIMES_THE_CONTROL * round(
            max(each.seconds for each in ended)
        )
        return "\n".join(each.output for each in ended if each.verdict != "survived")

    def _run_noting_calls(
        self,
        same: list[tuple[FunctionType, CodeType]],
        items: list[pytest.Item],
        note: Path,
        called: Path,
    ) -> None:
        plugin = CallsOfTests(self._called.folders)
        items[0].config.pluginmanager.register(plugin)
        _run_here(same, items, note)
        called.write_text(json.dumps(plugin.callers))

    def _run_mutants(self, items: list[pytest.Item]) -> None:
        pairs = [(each, changed_function(each.place.path, each.source)) for each in self.mutants]
        # Those that need a new process take ten times as long as the others, and come last.
        for mutant, changed in sorted(pairs, key=lambda pair: pair[1] is None):
            if time.monotonic() >= self.ends_at:
                break
            while len(self._children) >= self.processes:
                self._wait()
            self._start(mutant, changed, items)

    def _start(
        self,
        mutant: Mutant,
        changed: tuple[FunctionType, CodeType] | None,
        items: list[pytest.Item],
    ) -> None:
        """Forks the process of a mutant."""
        path = mutant.place.path
        ordered = nearest_first(path, items)

        def run(note: Path) -> None:
            if changed is not None:
                is_called_before = changed[0].__code__ in self._called.codes
                callers = self._callers.get(name_of(changed[0].__code__), set())
                _run_here([changed], [each for each in ordered if each.nodeid in callers], note)
                if not is_called_before:
                    return
            self._run_fresh(path, mutant.source, note, self._first_files(ordered))

        self._fork(run, self._recorder(mutant))

    def _first_files(self, ordered: list[pytest.Item]) -> list[str]:
        """The nearest, and those that have killed most."""
        nearest = dict.fromkeys(map(file_of, ordered))
        return [*islice(nearest, _FIRST), *(file for file, _ in self._killers.most_common(_FIRST))]

    def _recorder(self, mutant: Mutant) -> Callable[[Ended], None]:
        def record(ended: Ended) -> None:
            if ended.verdict == "stopped":
                self.stopped.append(f"{' | '.join(mutant.place)}\n{ended.output}")
            else:
                self._killers[ended.failed_in] += bool(ended.failed_in)
                self.results.add(mutant, ended.verdict, ended.failed_in)

        return record

    def _fork(self, run: Callable[[Path], None], done: Callable[[Ended], None]) -> None:
        number = next(self._numbers)
        child = Child(self.folder / f"{number}.output", self.folder / f"{number}.failed", done)
        pid = os.fork()
        if pid:
            self._children[pid] = child
            return
        try:
            _limit(self._seconds)
            _redirect(child.output)
            run(child.note)
            os._exit(SURVIVED)
        except BaseException:  # noqa: BLE001  nothing of the child may go on as the parent
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(_FAULT)

    def _wait(self) -> None:
        """Until one of the children has ended."""
        pid, status, usage = os.wait4(-1, 0)
        child = self._children.pop(pid, None)
        if child is None:  # a process of the tests' plugins
            return
        failed_in = child.note.read_text() if child.note.exists() else ""
        output = child.output.read_text(errors="replace") if child.output.exists() else ""
        child.note.unlink(missing_ok=True)
        child.output.unlink(missing_ok=True)
        seconds = usage.ru_utime + usage.ru_stime
        child.done(Ended(_verdict(status), failed_in, seconds, output))

    def _run_fresh(self, path: str, source: str, note: Path, first: list[str]) -> None:
        """Becomes a new process."""
        changed = note.with_suffix(".py")
        changed.write_text(source)
        module = "tests.mutants.fresh_process"
        own = ["-m", module, path, str(changed), str(note), ":".join(first)]
        os.execv(sys.executable, [sys.executable, *own, *self.arguments])  # noqa: S606  no shell


def _run_here(
    changed: list[tuple[FunctionType, CodeType]], items: list[pytest.Item], note: Path
) -> None:
    """In the forked process, to which nobody comes back."""
    for function, code in changed:
        function.__code__ = code
    if items:
        items[0].config.pluginmanager.register(FirstFailure(note))
        run_items(items)


def _limit(seconds: int) -> None:
    """Of the processor's time: a busy machine kills no mutant."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_OCTETS, _MOST_OCTETS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _redirect(output: Path) -> None:
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, sys.stdout.fileno())
    os.dup2(file, sys.stderr.fileno())


def _verdict(status: int) -> Verdict | Literal["stopped"]:
    code = os.waitstatus_to_exitcode(status)
    verdicts: dict[int, Verdict] = {
        SURVIVED: "survived",
        KILLED: "killed",
        -signal.SIGXCPU: "killed by time",
    }
    return verdicts.get(code, "stopped")
