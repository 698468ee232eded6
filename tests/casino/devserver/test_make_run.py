"""`make run` in a fresh clone that has only its packages."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from casino.embedded import clone_paths
from casino.embedded.addresses import database_url
from casino.embedded.server_paths import CLONE
from tests.processes import wait_until
from tests.servers import OF_THE_TESTS

_WITNESSES = ["demo.invalid/one", "demo.invalid/two"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def copy(folder: Path) -> Path:
    """The project without `.venv` and `var`."""
    return shutil.copytree(
        CLONE,
        folder / "sabot",
        ignore=shutil.ignore_patterns(".git", ".venv*", "var", ".*_cache", "__pycache__"),
    )


@pytest.fixture
def stack(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[str]"]:
    """A running `make run` with its own servers."""
    for name in OF_THE_TESTS:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONFAULTHANDLER", "1")
    with subprocess.Popen(
        [sys.executable, "-m", "casino.devserver"],
        cwd=copy,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        yield process
        process.kill()


def read_until_ready(stack: "subprocess.Popen[str]") -> list[str]:
    """The output up to the line with the address."""
    assert stack.stdout is not None
    lines: list[str] = []
    for line in stack.stdout:
        lines.append(line.rstrip())
        if line.startswith("ready: "):
            return lines
    raise AssertionError("\n".join(lines))


def output_until_end(stack: "subprocess.Popen[str]") -> str:
    """The remaining output; fails if the program does not end."""
    try:
        return stack.communicate(timeout=300)[0]  # it gives each of five processes a minute
    except subprocess.TimeoutExpired:
        stack.send_signal(
            signal.SIGABRT
        )  # has Python write where it stands, see PYTHONFAULTHANDLER
        pytest.fail(f"it does not end: {stack.communicate()[0]}")


def processes_in(copy: Path) -> list[str]:
    """The commands of all processes that name the copy or run in it."""
    lines = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if str(copy) in command or (process / "cwd").readlink() == copy:
                lines.append(command)
        except OSError:  # ended meanwhile
            continue
    return lines


def postmaster_of(copy: Path) -> int | None:
    """The process id of PostgreSQL; None while it restarts."""
    try:
        written = (copy / "var/postgres/postmaster.pid").read_text()
    except FileNotFoundError:
        return None
    return int(written.partition("\n")[0] or 0) or None


def databases_named(copy: Path) -> set[str]:
    """The database URLs of web server, workers and beat."""
    named = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if (process / "cwd").readlink() == copy and re.search(b"celery|gunicorn", command):
                environment = (process / "environ").read_bytes().decode().split("\0")
                named |= {
                    variable.removeprefix("DATABASE_URL=")
                    for variable in environment
                    if variable.startswith("DATABASE_URL=")
                }
        except OSError:  # ended meanwhile
            continue
    return named


def answers(url: str) -> bool:
    """Whether the login page is served."""
    try:
        with urlopen(f"{url}admin/login/", timeout=5) as page:
            return bool(page.status == 200)
    except OSError:
        return False


def cosigners(url: str) -> list[str]:
    """The names of the witnesses that cosigned what the public log shows."""
    try:
        with urlopen(f"{url}log/checkpoint", timeout=5) as note:
            lines = note.read().decode().splitlines()
    except OSError:
        return []
    signers = [line.split(" ")[1] for line in lines if line.startswith("\N{EM DASH} ")]
    return sorted(name for name in signers if name in _WITNESSES)


class TestMakeRun:
    def test_settles_a_casino_serves_it_survives_a_crash_and_leaves_nothing_behind(
        self, stack: "subprocess.Popen[str]", copy: Path
    ) -> None:
        """From start to `ready`, through a kill -9, to Ctrl-C (issue 1, item 3)."""
        lines = read_until_ready(stack)
        url = lines[-1].removeprefix("ready: ")
        [summary] = [line for line in lines if "transfers in the ledger" in line]
        place = clone_paths("postgres", copy)
        assert databases_named(copy) == {
            database_url(place, role=f"sabot_{name}")
            for name in ("web", "worker", "feed", "exporter")
        }
        wait_until(lambda: cosigners(url) == _WITNESSES, what="both witnesses cosign the log")
        killed = postmaster_of(copy)
        assert killed is not None

        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: postmaster_of(copy) not in {None, killed}, what="PostgreSQL runs again")
        wait_until(lambda: answers(url), what="the page is there")
        stack.send_signal(signal.SIGINT)
        output = output_until_end(stack)

        settled = int(summary.split(" settled")[0].replace(",", ""))
        assert settled >= 2000
        assert "sum of all accounts 0 cents" in summary
        assert "PostgreSQL ended" in output
        assert "stopped; all data is kept" in output
        assert stack.returncode == 0
        assert processes_in(copy) == []
