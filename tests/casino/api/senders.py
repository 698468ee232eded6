"""Processes whose threads send the same call at once, with the client.

As a program, this is one of them: it reports that it is ready, waits for a line, and sends.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from threading import Barrier
from typing import Any, Final, NamedTuple

from casino.api.client import Sabot, SabotProblem
from casino.embedded.server_paths import CLONE

_THREADS: Final = 10
_ATTEMPTS: Final = 20
"""Patience for a machine on which much runs at once."""


class Call(NamedTuple):
    """A client method, its arguments, and the Idempotency-Key."""

    resource: str
    method: str
    arguments: Mapping[str, Any]
    once: str


class Sent(NamedTuple):
    """The result of a call: its answer or the kind of its problem."""

    answer: Any
    problem: str | None


class Senders:
    """Running programs."""

    def __init__(self, programs: list["subprocess.Popen[str]"]) -> None:
        self._programs = programs

    def are_sending(self) -> bool:
        """Whether a program still runs."""
        return any(program.poll() is None for program in self._programs)

    def answers(self) -> list[Sent]:
        """The results of all calls, once the programs have ended."""
        lines = [
            line for program in self._programs for line in program.communicate()[0].splitlines()
        ]
        assert all(program.returncode == 0 for program in self._programs)
        return [Sent(*json.loads(line)) for line in lines]


@contextmanager
def sending(address: str, token: str, *programs: Sequence[Call]) -> Iterator[Senders]:
    """Programs that send their calls, ten at once, until the block ends."""
    running = [_begun(address, token, calls) for calls in programs]
    try:
        for sender in running:
            assert sender.stdout is not None
            assert sender.stdout.readline() == "ready\n"
        for sender in running:
            assert sender.stdin is not None
            sender.stdin.write("go\n")
            sender.stdin.flush()
        yield Senders(running)
    finally:
        for sender in running:
            sender.kill()
            sender.communicate()


def _begun(address: str, token: str, calls: Sequence[Call]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.casino.api.senders", address, token, json.dumps(calls)],
        cwd=CLONE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _send_all(address: str, token: str, calls: list[Call]) -> None:
    threads = min(len(calls), _THREADS)
    together = Barrier(threads)  # and so again for each further ten
    with Sabot(address, token, attempts=_ATTEMPTS) as sabot:

        def send(call: Call) -> Sent:
            method = getattr(getattr(sabot, call.resource), call.method)
            together.wait()
            try:
                return Sent(asdict(method(**call.arguments, once=call.once)), None)
            except SabotProblem as problem:
                return Sent(None, problem.kind)

        with ThreadPoolExecutor(threads) as pool:
            for sent in pool.map(send, calls):
                print(json.dumps(sent, default=str))  # noqa: T201  it is what it is asked for


if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201  as above
    sys.stdin.readline()
    _send_all(sys.argv[1], sys.argv[2], [Call(*fields) for fields in json.loads(sys.argv[3])])
