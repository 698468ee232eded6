"""One schedule: sessions run in an order that somebody chooses, a statement at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from threading import Condition
from typing import Any, Final, NamedTuple

import psycopg

from tests.interleavings.footprints import EVERYTHING, Footprint
from tests.interleavings.sessions import Session

Program = Callable[[], Any]
Choose = Callable[[Sequence["Event"], Sequence[int]], int | None]
"""Who goes next: by what has happened, among these sessions; None ends the schedule."""

_WAITS_FOR: Final = (
    "SELECT pid FROM unnest(%s::int[]) AS pid WHERE pg_blocking_pids(pid) && %s::int[]"
)
_PAUSE_SECONDS: Final = 0.002


@dataclass
class Event:
    """A statement that was released."""

    session: int
    statement: str
    footprint: Footprint = EVERYTHING
    has_waited: bool = False
    """Whether it waited for a lock of another session."""


class Outcome(NamedTuple):
    """What the callers got, in the order of the sessions, and what happened."""

    answers: tuple[Any, ...]
    errors: tuple[BaseException | None, ...]
    events: tuple[Event, ...]
    is_complete: bool

    @property
    def replay(self) -> str:
        """The order of the sessions, a digit for each statement."""
        return "".join(str(event.session) for event in self.events)


def run(programs: Sequence[Program], choose: Choose, *, url: str) -> Outcome:
    """Runs the programs, each on a connection of its own."""
    changed = Condition()
    sessions = [Session(number, program, changed) for number, program in enumerate(programs)]
    with psycopg.connect(url, autocommit=True) as observer:
        schedule = _Schedule(sessions, changed, observer)
        is_complete = schedule.run(choose)
    for session in sessions:
        session.abandon()
    for session in sessions:
        session.join()
    return Outcome(
        tuple(session.answer for session in sessions),
        tuple(session.error for session in sessions),
        tuple(schedule.events),
        is_complete,
    )


def replayed(order: str) -> Choose:
    """Chooses by these digits, then the first session that can go on."""
    digits = iter(order)
    return lambda _events, ready: int(next(digits, str(ready[0])))


def drawn(random: Random) -> Choose:
    """Chooses at random, and goes on with the same session more or less often."""
    stays = random.choice((0.0, 0.5, 0.9))

    def choose(events: Sequence[Event], ready: Sequence[int]) -> int:
        if events and events[-1].session in ready and random.random() < stays:
            return events[-1].session
        return random.choice(ready)

    return choose


class _Schedule:
    def __init__(
        self, sessions: list[Session], changed: Condition, observer: "psycopg.Connection[Any]"
    ) -> None:
        self._sessions, self._changed, self._observer = sessions, changed, observer
        self._running: dict[int, Event] = {}
        self.events: list[Event] = []

    def run(self, choose: Choose) -> bool:
        self._settle()
        while not all(session.is_over for session in self._sessions):
            ready = [session.number for session in self._sessions if session.at_gate]
            if not ready:
                self._settle(until_one_goes_on=True)  # PostgreSQL ends the deadlock
                continue
            chosen = choose(self.events, ready)
            if chosen is None:
                return False
            event = Event(chosen, self._sessions[chosen].statement)
            self.events.append(event)
            others_wait = bool(self._running)
            self._running[chosen] = event
            self._sessions[chosen].release(others_wait=others_wait)
            self._settle()
        return True

    def _settle(self, *, until_one_goes_on: bool = False) -> None:
        """Waits until every session stands at a statement, waits for a lock or is over."""
        while True:
            with self._changed:
                moving = [one for one in self._sessions if not (one.at_gate or one.is_over)]
                self._finish()
                if not moving:
                    return
            waiting = self._waiting(moving)
            with self._changed:
                still = [one for one in moving if not (one.at_gate or one.is_over)]
                if len(still) < len(moving):
                    until_one_goes_on = False
                    continue
                if waiting == {one.number for one in still} and not until_one_goes_on:
                    for number in waiting:
                        self._running[number].has_waited = True
                    return
                self._changed.wait(_PAUSE_SECONDS)

    def _finish(self) -> None:
        """Takes the footprints of statements that ended."""
        for number, event in list(self._running.items()):
            session = self._sessions[number]
            if session.at_gate or session.is_over:
                event.footprint = session.footprint
                if event.has_waited:  # for a row with the same key, perhaps
                    event.footprint = event.footprint.as_writes()
                del self._running[number]

    def _waiting(self, moving: list[Session]) -> set[int]:
        pids = {one.pid: one.number for one in moving if one.pid}
        others = [one.pid for one in self._sessions]
        rows = self._observer.execute(_WAITS_FOR, [list(pids), others]).fetchall()
        return {pids[pid] for (pid,) in rows}
