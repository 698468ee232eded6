"""Celery workers as an installation runs them, for as long as something is measured."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from celery import current_app

from casino.embedded.process import spawn, wait_until
from casino.embedded.server_paths import CLONE

_CELERY: Final = (sys.executable, "-m", "celery", "-A", "casino")
_READY_SECONDS: Final = 60
_ANSWER_SECONDS: Final = 1.0
_END_SECONDS: Final = 60


@contextmanager
def celery_workers(
    *,
    hosts: int = 1,
    processes: int = 2,
    folder: Path,
    environment: Mapping[str, str] = MappingProxyType({}),
    code: Path = CLONE,
    name: str = "bench",
) -> Iterator[None]:
    """So many hosts with so many processes each, and one beat, on DATABASE_URL and the broker.

    They answer when the block begins, and have finished their tasks and ended behind it.
    ``environment`` are variables that are added to those of this process; ``code`` is the folder of
    another release; ``name`` begins those of the hosts.
    """
    variables = {**os.environ, **environment}
    with ExitStack() as running:
        for number in range(1, hosts + 1):
            command = [*_CELERY, "worker", "--hostname", f"{name}{number}@%h"]
            command += ["--concurrency", str(processes), "--loglevel", "WARNING"]
            log = folder / f"{name}-{number}.log"
            running.enter_context(_program(command, variables, log=log, code=code))
        beat = [*_CELERY, "beat", "--schedule", str(folder / f"{name}-beat"), "--pidfile="]
        log = folder / f"{name}-beat.log"
        running.enter_context(_program(beat, variables, log=log, code=code))
        _wait_for_answers(name, hosts)
        yield


@contextmanager
def _program(
    command: Sequence[str], environment: Mapping[str, str], *, log: Path, code: Path
) -> Iterator[None]:
    process = spawn(command, log=log, ends_with_us=signal.SIGKILL, env=environment, cwd=code)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for_answers(name: str, hosts: int) -> None:
    names = {f"{name}{number}" for number in range(1, hosts + 1)}

    def all_answer() -> bool:
        answers = current_app.control.ping(timeout=_ANSWER_SECONDS) or ()
        return names <= {host.partition("@")[0] for answer in answers for host in answer}

    if not wait_until(all_answer, seconds=_READY_SECONDS):
        raise TimeoutError(f"{hosts} workers did not answer within {_READY_SECONDS} seconds")
