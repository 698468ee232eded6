"""Clients that call the API all the time, and note each call that fails."""

import json
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from itertools import islice
from threading import Event, Thread
from time import sleep
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

_LINES_A_CALL: Final = 10
_PAUSE_SECONDS: Final = 0.05
_READ: Final = ("/api/v1/rounds?limit=5", "/api/v1/")
_OK: Final = 200
_TAKEN: Final = {"accepted", "known"}


class Clients:
    """One studio that delivers a feed, and readers; a context manager."""

    def __init__(self, address: str, token: str, feed: Iterator[bytes], *, readers: int) -> None:
        self._place = urlsplit(address).netloc
        self._headers = {"Authorization": f"Bearer {token}"}
        self._feed = feed
        self._is_over = Event()
        self._threads = [Thread(target=self._go_on, args=(self._read,)) for _ in range(readers)]
        self._threads.append(Thread(target=self._go_on, args=(self._deliver,)))
        self.delivered: list[bytes] = []
        """The lines that were acknowledged."""
        self.reads = 0
        self.failures: list[str] = []

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _go_on(self, call: Callable[[HTTPConnection], None]) -> None:
        while not self._is_over.is_set():
            connection = HTTPConnection(self._place, timeout=120)
            try:
                while not self._is_over.is_set():
                    call(connection)
                    sleep(_PAUSE_SECONDS)
            except (OSError, HTTPException, AssertionError) as failure:
                self.failures.append(f"{type(failure).__name__}: {failure}")
            finally:
                connection.close()

    def _read(self, connection: HTTPConnection) -> None:
        for path in _READ:
            self._answer(connection, "GET", path)
            self.reads += 1

    def _deliver(self, connection: HTTPConnection) -> None:
        lines = list(islice(self._feed, _LINES_A_CALL))
        answer = self._answer(connection, "POST", "/api/v1/rounds", b"\n".join(lines))
        results = [json.loads(line) for line in answer.splitlines()]
        assert len(results) == len(lines), answer
        assert all(result["verdict"] in _TAKEN for result in results), answer
        self.delivered += lines

    def _answer(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None = None
    ) -> bytes:
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/x-ndjson"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == _OK, f"{method} {path}: {answer.status} {text[:500]!r}"
        return text
