"""Parts of `make run`: the lock of the clone, the port, the supervision of programs."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from casino.devserver.address import announced_in, listen_on_free_port
from casino.devserver.watch import Program, Watch
from casino.embedded import CannotStart
from casino.embedded.server_paths import CLONE
from tests.processes import wait_until


def say_nothing(_what: str) -> None:
    """Discards messages."""


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """A watch whose programs log into the test's folder."""
    monkeypatch.setattr("casino.devserver.watch.LOGS", tmp_path)
    with closing(Watch(say_nothing)) as watch:
        yield watch


class TestAClone:
    def test_runs_once_at_a_time_and_says_where(self, tmp_path: Path) -> None:
        """The second start gets the address of the first."""
        with announced_in(tmp_path / "running") as announce:
            announce("http://127.0.0.1:8000/")

            with (
                pytest.raises(CannotStart, match=r"runs already: http://127\.0\.0\.1:8000/"),
                announced_in(tmp_path / "running"),
            ):
                pass

    def test_runs_again_after_it_has_stopped(self, tmp_path: Path) -> None:
        """The lock file is emptied."""
        with announced_in(tmp_path / "running") as announce:
            announce("http://127.0.0.1:8000/")

        with announced_in(tmp_path / "running"):
            left = (tmp_path / "running").read_text()

        assert left == ""


class TestThePort:
    def test_is_another_one_when_it_is_in_use(self) -> None:
        """The chosen port is printed (issue 1, item 3)."""
        messages: list[str] = []

        with listen_on_free_port(18400, say=messages.append) as first:
            taken_port = first.getsockname()[1]
            with listen_on_free_port(taken_port, say=messages.append) as second:
                chosen = second.getsockname()[1]

        assert chosen > taken_port
        assert f"port {taken_port} is taken, trying the next" in messages


class TestAWatchedProgram:
    def test_that_dies_is_restarted(self, watch: Watch, tmp_path: Path) -> None:
        """After kill -9."""
        beats = tmp_path / "beats"
        watch.start(Program("sleeper", ("sh", "-c", f"echo $$ >> {beats}; exec sleep 600")))
        wait_until(lambda: len(pids_in(beats)) == 1, what="it runs")

        os.kill(int(pids_in(beats)[0]), signal.SIGKILL)
        wait_until(lambda: looked(watch) and len(pids_in(beats)) == 2, what="it runs again")

        assert len(set(pids_in(beats))) == 2

    def test_that_keeps_dying_stops_the_watch(self, watch: Watch) -> None:
        """The error names its log."""
        watch.start(Program("hopeless", ("sh", "-c", "exit 3")))

        with pytest.raises(CannotStart, match=r"hopeless keeps ending: see .*hopeless\.log"):
            wait_until(lambda: not looked(watch), what="the watch gives up")

    def test_gets_sigterm_and_is_waited_for(self, tmp_path: Path, watch: Watch) -> None:
        """So that a worker finishes its tasks."""
        ended = tmp_path / "ended"
        ready = tmp_path / "ready"
        script = f"trap 'touch {ended}; exit' TERM; touch {ready}; while :; do sleep 0.05; done"
        watch.start(Program("polite", ("sh", "-c", script)))
        wait_until(ready.exists, what="it listens")

        watch.close()

        assert ended.exists()


class TestAProgramOfOurs:
    def test_ends_with_its_parent(self, tmp_path: Path) -> None:
        """No worker survives kill -9 of `make run`."""
        script = (
            "import os, sys, time; from pathlib import Path; from casino.devserver import watch;"
            "watch.LOGS = Path(sys.argv[1]);"
            "program = watch.Program('sleeper', ('sleep', '600'));"
            "program.start(); print(program._process.pid, flush=True); time.sleep(600)"
        )
        with subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=CLONE,
            stdout=subprocess.PIPE,
            text=True,
        ) as listener:
            assert listener.stdout is not None
            sleeper = Path("/proc", listener.stdout.readline().strip())
            assert "sleep" in (sleeper / "cmdline").read_text()
            listener.send_signal(signal.SIGKILL)

        wait_until(lambda: not runs(sleeper), what="the kernel has ended it")


HEARING_SIGINT = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Starts a program that hears SIGINT, also where the tests run in the background and do not."""


class TestMakeThatIsInterruptedAlone:
    def test_stops_its_programs(self, tmp_path: Path) -> None:
        """SIGINT sent to make alone must stop its child."""
        script = (
            "import time; from casino.devserver.parent import make_was_interrupted\n"
            "print(make_was_interrupted(), flush=True)\n"
            "while not make_was_interrupted(): time.sleep(0.05)"
        )
        (tmp_path / "ours.py").write_text(script)
        (tmp_path / "Makefile").write_text(f"run:\n\t@exec {sys.executable} {tmp_path}/ours.py\n")
        make = subprocess.Popen(
            [
                *(sys.executable, "-c", HEARING_SIGINT),
                *(str(shutil.which("make")), "-C", str(tmp_path), "--no-print-directory", "run"),
            ],
            env={"PYTHONPATH": str(CLONE), "PATH": os.defpath},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert make.stdout is not None
        before = make.stdout.readline().strip()

        make.send_signal(signal.SIGINT)
        noticed = wait_until_ended(make)

        assert before == "False"
        assert noticed, "make still waits for us"


def wait_until_ended(make: "subprocess.Popen[str]") -> bool:
    """Whether make ends within ten seconds; kills what remains."""
    with make:
        try:
            make.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(make.pid, signal.SIGKILL)
            return False
        return True


def looked(watch: Watch) -> bool:
    """Lets the watch check its programs."""
    watch.look()
    return True


def pids_in(file: Path) -> list[str]:
    """The process ids that a program has written, one per start."""
    return file.read_text().split() if file.exists() else []


def runs(process: Path) -> bool:
    """Whether the process runs and is no zombie."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False
