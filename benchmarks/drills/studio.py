"""Studios that hand over their rounds piece by piece, and remember what was acknowledged."""

import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from threading import Event, Thread
from typing import Final, NamedTuple

from benchmarks.data.feeds import START
from rounds.simulation.casino import Order, simulate

_WITHOUT_END: Final = 10**9
_AGAIN_AFTER_SECONDS: Final = 0.2

Deliver = Callable[[bytes], bool]
"""Hands over lines; whether all of them are acknowledged."""


class Acknowledged(NamedTuple):
    """Rounds that Sabot has said to have stored, and when it had said so (seconds since 1970)."""

    at: float
    rounds: frozenset[str]


class Studio:
    """A studio that plays some games. It hands over each piece until it is acknowledged."""

    def __init__(
        self, *, games: list[str], seed: str, deliver: Deliver, lines: int, pause: float
    ) -> None:
        """``lines`` is the size of a piece, ``pause`` the seconds between two."""
        order = Order(games=games, rounds=_WITHOUT_END, seed=seed, start=START)
        self._dealt = (f"{line.text}\n".encode() for line in simulate(order))
        self._deliver, self._size, self._pause = deliver, lines, pause
        self._is_over = Event()
        self._thread = Thread(target=self._play, daemon=True)
        self.dealt: list[bytes] = []
        """All lines that it has handed over, acknowledged or not: the feed that it can repeat."""
        self.acknowledged: list[Acknowledged] = []

    def start(self) -> None:
        """Begins to play."""
        self._thread.start()

    def stop(self) -> None:
        """Ends after the piece at hand, which may stay without an acknowledgement."""
        self._is_over.set()
        self._thread.join()

    def _play(self) -> None:
        while not self._is_over.is_set():
            piece = list(islice(self._dealt, self._size))
            self.dealt += piece
            while not self._deliver(b"".join(piece)):
                if self._is_over.wait(_AGAIN_AFTER_SECONDS):
                    return
            self.acknowledged.append(Acknowledged(time.time(), frozenset(rounds_of(piece))))
            self._is_over.wait(self._pause)


def rounds_of(lines: list[bytes]) -> Iterator[str]:
    """The studio's ids of the rounds among these lines."""
    for line in lines:
        document = json.loads(line)
        if document["feed"] == "round/1":
            yield document["round"]
