"""Calls of pages and API over HTTP: noted with their time and answer, and repeated if they fail."""

import time
from abc import ABC, abstractmethod
from random import Random
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple

import requests

from tests.histories.operations import History

_TIMEOUT_SECONDS: Final = 60
_PAUSE_SECONDS: Final = 0.5
SERVER_ERROR: Final = 500
_TOO_MANY: Final = 429
NO_ANSWER: Final = 0
"""The status of a call that nobody answered."""


class Call(NamedTuple):
    """One attempt of a call."""

    at: float
    """When it began, in seconds since 1970."""
    what: str
    """``api`` or ``page``, and what it asks for, without ids."""
    seconds: float
    status: int


class Notes:
    """What the load has seen and done; shared by its threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.calls: list[Call] = []
        self.history: Final = History()
        """What programs have seen of rounds."""
        self.surprises: list[str] = []
        """What went wrong in a way that no fault explains."""
        self.failures: list[str] = []
        """What people in a browser could not do, whether a fault explains it or not."""
        self.refused_signatures: list[float] = []
        """When a signed request was refused for its time, in seconds since 1970."""
        self.done: dict[str, int] = {}
        """How often each thing was done."""

    def note(self, call: Call) -> None:
        """Keeps a call."""
        with self._lock:
            self.calls.append(call)

    def count(self, what: str, number: int = 1) -> None:
        """Counts something that was done."""
        with self._lock:
            self.done[what] = self.done.get(what, 0) + number

    def refuse_signature(self, at: float) -> None:
        """Keeps that a signed request was refused for its time."""
        with self._lock:
            self.refused_signatures.append(at)
        self.count("signed requests refused for their time")

    def keep_failure(self, text: str) -> None:
        """Keeps what was not done."""
        with self._lock:
            self.failures.append(f"{time.strftime('%H:%M:%S')} {text}")

    def surprise(self, text: str) -> None:
        """Keeps what nobody expects."""
        with self._lock:
            self.surprises.append(text[:2_000])


class Setting(NamedTuple):
    """What all lanes share."""

    notes: Notes
    addresses: list[str]
    """Of the web hosts."""
    token: str
    """Of a program with all scopes."""
    seed: int

    def chance(self, name: str) -> Random:
        """The chance of a lane."""
        return Random(f"{self.seed} {name}")  # noqa: S311  load, no secret


class Ended(Exception):
    """The load is over."""


class Lane(Thread, ABC):
    """Does one thing again and again, until the load is over."""

    def __init__(self, name: str, setting: Setting, *, pause_seconds: float) -> None:
        super().__init__(name=name, daemon=True)
        self.setting, self.notes = setting, setting.notes
        self.chance: Final = setting.chance(name)
        self._pause_seconds = pause_seconds
        self._is_over = Event()

    def run(self) -> None:
        """Steps with a pause between them; an error of a step is noted as a surprise."""
        while not self._is_over.is_set():
            try:
                self.step()
            except Ended:
                return
            except Exception as error:  # noqa: BLE001  the report names it
                self.notes.surprise(f"{self.name}: {type(error).__name__}: {error}")
            self.wait(self._pause_seconds)

    @abstractmethod
    def step(self) -> None:
        """Does it once."""

    def wait(self, seconds: float) -> bool:
        """Waits; whether the load is over."""
        return self._is_over.wait(seconds)

    def end(self) -> None:
        """Asks it to end."""
        self._is_over.set()

    @property
    def is_over(self) -> bool:
        """Whether it was asked to end."""
        return self._is_over.is_set()


class Site:
    """The web hosts, called by one program or person; a host that does not answer is passed over.

    A call that is answered with 5xx or not at all is repeated until it succeeds, at the other host,
    as a load balancer and a patient program do.
    """

    def __init__(self, lane: Lane, *, with_token: bool = False) -> None:
        self._lane, self._addresses = lane, lane.setting.addresses
        self.session: Final = requests.Session()
        if with_token:
            self.use_token(lane.setting.token)
        self._turn = 0

    def use_token(self, token: str) -> None:
        """Calls the API with this token from now on."""
        self.session.headers["Authorization"] = f"Bearer {token}"

    def call(
        self, method: str, path: str, *, what: str, is_kept: bool = False, **options: Any
    ) -> requests.Response:
        """The answer of the first attempt that succeeded.

        Raises Ended if the load is over first, unless the call is to be kept until it succeeds.
        """
        while True:
            answer = self.attempt(method, path, what=what, **options)
            status = NO_ANSWER if answer is None else answer.status_code
            if answer is not None and status < SERVER_ERROR and status != _TOO_MANY:
                return answer
            if self._lane.wait(_PAUSE_SECONDS) and not is_kept:
                raise Ended
            time.sleep(_PAUSE_SECONDS)
            self._turn += 1

    def attempt(
        self, method: str, path: str, *, what: str, **options: Any
    ) -> requests.Response | None:
        """One attempt; None without an answer.

        A GET whose connection was closed is asked at once on a new one, as by browsers: a server
        may end an idle connection at the moment in which it is used again.
        """
        address = self._addresses[self._turn % len(self._addresses)]
        began, started = time.time(), time.monotonic()
        answer: requests.Response | None = None
        for may_repeat in (method == "GET", False):
            try:
                answer = self.session.request(
                    method, address + path, timeout=_TIMEOUT_SECONDS, **options
                )
                break
            except requests.RequestException as error:
                self.session.close()
                if not may_repeat or not isinstance(error, requests.ConnectionError):
                    break
        status = NO_ANSWER if answer is None else answer.status_code
        self._lane.notes.note(Call(began, what, time.monotonic() - started, status))
        return answer

    def next_host(self) -> None:
        """Calls the other host from now on."""
        self._turn += 1
