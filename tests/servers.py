"""A pytest plugin: tests get a PostgreSQL and a Valkey of their own, in a throw-away folder.

It is loaded before Django's settings are (`-p tests.servers`), so that these find the addresses in
the environment. The servers start when the first test asks for them, and are shared by the workers
of one run; the process that began the run stops them and removes the folder, and the folders of
runs that were killed.

The folder lies in memory where there is room: each test that commits makes a database of 1,500
files and removes it, and ext4 looks through all files just removed before it makes a file. That
was a quarter of a run's processor time. Folders that tests ask for (`tmp_path`) lie in it as well.
"""

import gc
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

from casino.embedded import Running, start_postgres, start_valkey
from casino.embedded.addresses import broker_url, database_url
from casino.embedded.postgres import find_running_postgres
from casino.embedded.server_paths import CLONE, ServerPaths, fingerprint
from casino.embedded.valkey import find_running_valkey

_RUN: Final = "SABOT_TEST_RUN"
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  our folder in it is nobody else's
_WORKERS: Final = 3
_WORKERS_OF_SLOW: Final = 4
_FEW_FILES: Final = 12
_ROOM: Final = 6 << 30
"""Octets; a run takes up to two thirds of that."""


def _new_folder() -> Path:
    room = shutil.disk_usage(_MEMORY).free if os.access(_MEMORY, os.W_OK) else 0
    in_memory = _MEMORY / f"sabot-test-{fingerprint(CLONE)}"
    return (in_memory if room >= _ROOM else CLONE / "var" / "test") / str(os.getpid())


is_first_process = _RUN not in os.environ
FOLDER: Final = Path(os.environ.setdefault(_RUN, str(_new_folder())))
"""Of this run; what stands beside it are other runs of the same clone."""
POSTGRES: Final = FOLDER / "postgres"
VALKEY: Final = FOLDER / "valkey"

OF_THE_TESTS: Final = {
    "DATABASE_URL": database_url(ServerPaths(POSTGRES)),
    "CELERY_BROKER_URL": broker_url(ServerPaths(VALKEY)),
    "DEMO": "true",  # HTTP on the loopback
    "SANDBOX": "false",
    "COMPILED_RULES": os.environ.get("COMPILED_RULES", "no"),  # mutants and the like are sources
    "SOFTWARE_KEYS": "false",
    "LOG_POLICY_FILE": "",  # also in a clone in which a demo has run
    "SIGNING_KEY_ROOTS": "any",  # else each test would name its own
    "OPERATOR_NAME": "",
    "OPERATOR_LICENCE": "",
    "ADR_CONTACT": "",
}
"""The settings of every process of the tests."""
os.environ |= OF_THE_TESTS

# Workers occupy all cores: threads of numpy's that wait for one another on them turn the analysis
# of a game, a second alone, into most of a minute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# Imports and collecting make little garbage; looking for it takes as long as they do.
gc.disable()

# Python warns of processes that nobody holds on to.
_started: Final[list[Running]] = []


def start_test_postgres() -> None:
    """Starts the run's PostgreSQL, or finds it running; it forgets everything after a crash."""
    _started.append(start_postgres(POSTGRES, durable=False, detached=True))


def start_test_valkey() -> None:
    """Starts the run's Valkey, or finds it running."""
    _started.append(start_valkey(VALKEY, detached=True))


@pytest.hookimpl(tryfirst=True)  # pytest's own reads the option
def pytest_configure(config: pytest.Config) -> None:
    """Clears away what runs that were killed have left; gives tests their folders in this run's.

    Workers get theirs from the first process. A pytest that a test starts has one elsewhere: it
    would begin by removing this one.
    """
    if not is_first_process:
        return
    if FOLDER.parent.exists():
        for folder in FOLDER.parent.iterdir():
            if not Path("/proc", folder.name).exists():
                _remove(folder)
    if _MEMORY in FOLDER.parents and config.option.basetemp is None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        config.option.basetemp = FOLDER / "tmp"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the slow proofs first, those with the longest time limit at the head.

    Of several parts (SABOT_TEST_PARTS) one is drawn by the seed of the run, the same in all of its
    processes.
    """
    parts, seed = int(os.environ.get("SABOT_TEST_PARTS") or 1), os.environ.get("PYTHONHASHSEED")
    drawn = [it for it in items if crc32(f"{seed} {it.nodeid}".encode()) % parts == 0]
    config.hook.pytest_deselected(items=list({*items} - {*drawn}))
    items[:] = drawn

    def limit(item: pytest.Item) -> int:
        timeout = item.get_closest_marker("timeout")
        return int(timeout.args[0]) if timeout else int(item.get_closest_marker("slow") is not None)

    items.sort(key=limit, reverse=True)


def pytest_collection_finish() -> None:
    """Freezes what collecting made: it stays to the end, and is not searched for garbage again."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 20, 50)


def pytest_unconfigure() -> None:
    """Stops the run's servers, also after Ctrl-C."""
    if is_first_process:
        _remove(FOLDER)
        with suppress(OSError):  # another run's is there
            FOLDER.parent.rmdir()
    _let_go()


@pytest.hookimpl(tryfirst=True)  # else xdist counts the processors
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers, four for the slow proofs; none for a few files.

    These have run before workers would have started. Slow proofs wait for other processes longer.
    """
    paths = [Path(argument.partition("::")[0]) for argument in config.args]
    files = sum(len([*path.rglob("test_*.py")]) if path.is_dir() else 1 for path in paths)
    if files <= _FEW_FILES:
        return 0
    return _WORKERS_OF_SLOW if config.option.markexpr == "slow" else _WORKERS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how to run each failed test again. In CI a skipped test is a failed run."""
    seed = os.environ.get("PYTHONHASHSEED", "random")
    named = "" if seed == "random" else f" SEED={seed}"
    for kind in ("failed", "error"):
        for report in terminalreporter.stats.get(kind, []):
            goal = "test-all" if "slow" in getattr(report, "keywords", ()) else "test"
            terminalreporter.write_line(f"run again: make {goal} ONLY=\"'{report.nodeid}'\"{named}")
    if os.environ.get("CI") and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line("CI: no test may be skipped", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failed run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter is not None and reporter.stats.get("skipped")
    if os.environ.get("CI") and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _let_go() -> None:
    """Python warns at its end of processes that still run: these outlive their parent."""
    for running in _started:
        if running.process is not None and running.process.poll() is None:
            running.process.returncode = 0


def _remove(folder: Path) -> None:
    for find_running, server in (
        (find_running_postgres, folder / "postgres"),
        (find_running_valkey, folder / "valkey"),
    ):
        running = find_running(server)
        if running is not None:
            running.stop()
        shutil.rmtree(ServerPaths(server).fallback_data, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
