"""Every schedule of some programs, but for those that only swap statements that commute.

Dynamic partial-order reduction (C. Flanagan, P. Godefroid, 2005) with sleep sets (P. Godefroid,
1996). Each schedule begins anew, in a state that ``prepare`` makes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.interleavings.footprints import conflict
from tests.interleavings.schedules import Event, Outcome, Program, run


@dataclass
class _Point:
    """A state of the schedule that is explored, before a statement is chosen."""

    ready: tuple[int, ...]
    sleeping: dict[int, Event]
    wanted: set[int]
    done: dict[int, Event] = field(default_factory=dict)
    chosen: int = -1

    @property
    def left(self) -> list[int]:
        return sorted(self.wanted - self.done.keys() - self.sleeping.keys())


def explore(
    programs: Sequence[Program], *, prepare: Callable[[], str], is_reduced: bool = True
) -> Iterator[Outcome]:
    """The outcome of each schedule. ``prepare`` makes the state and gives the database's URL.

    Without the reduction every order of statements is run: for the proof that nothing is missed.
    """
    path: list[_Point] = []
    while True:
        depth = 0

        def choose(events: Sequence[Event], ready: Sequence[int]) -> int | None:
            nonlocal depth
            if depth == len(path):
                path.append(_new_point(path, events, ready, is_reduced=is_reduced))
            point = path[depth]
            if point.ready != tuple(ready):
                raise RuntimeError(f"found {ready} ready at {depth}; needed {point.ready}")
            if not point.left:
                return None
            point.chosen = point.left[0]
            depth += 1
            return point.chosen

        outcome = run(programs, choose, url=prepare())
        asleep = list(path[depth].sleeping.values()) if depth < len(path) else []
        if is_reduced:
            _want_other_orders(path, outcome.events, asleep)
        if outcome.is_complete:
            yield outcome
        if not _next(path, outcome.events):
            return


def _new_point(
    path: list[_Point], events: Sequence[Event], ready: Sequence[int], *, is_reduced: bool
) -> _Point:
    if not is_reduced:
        return _Point(tuple(ready), {}, set(ready))
    sleeping: dict[int, Event] = {}
    if path:
        last = events[-1]
        # What waited may do something else later: it is never asleep.
        candidates = {**path[-1].sleeping, **path[-1].done}
        sleeping = {
            session: event
            for session, event in candidates.items()
            if session != last.session
            and not (event.has_waited or last.has_waited)
            and not conflict(event.footprint, last.footprint)
        }
    awake = [session for session in ready if session not in sleeping]
    return _Point(tuple(ready), sleeping, set(awake[:1]))


def _want_other_orders(
    path: list[_Point], events: Sequence[Event], asleep: Sequence[Event]
) -> None:
    """Wants the other order of each two statements that conflict and that nothing else orders."""
    clocks: list[dict[int, int]] = []
    of_session: dict[int, dict[int, int]] = {}
    for at, event in enumerate([*events, *asleep]):
        clock = dict(of_session.get(event.session, {}))
        before = dict(clock)
        for earlier in range(min(at, len(events)) - 1, -1, -1):
            other = events[earlier]
            if other.session == event.session or not conflict(other.footprint, event.footprint):
                continue
            if before.get(other.session, -1) < earlier:
                point = path[earlier]
                point.wanted |= {event.session} & set(point.ready) or set(point.ready)
            for session, seen in clocks[earlier].items():
                clock[session] = max(clock.get(session, -1), seen)
        if at < len(events):
            clock[event.session] = at
            clocks.append(clock)
            of_session[event.session] = clock


def _next(path: list[_Point], events: Sequence[Event]) -> bool:
    """Goes back to the last state in which another statement is still to be tried."""
    del path[len(events) + 1 :]
    while path:
        point = path[-1]
        if len(path) <= len(events):
            point.done[point.chosen] = events[len(path) - 1]
        if point.left:
            return True
        path.pop()
    return False
