"""The judgement of a schedule: it must be like an order of whole calls."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from tests.interleavings.scenes import assert_sound, services_of, state
from tests.interleavings.schedules import Outcome, run

State = frozenset[tuple[Any, ...]]


class Result(NamedTuple):
    """What the callers were told, and the state after them."""

    answers: tuple[str, ...]
    state: State


class Meeting:
    """Services that meet, with the results of their orders, and of those of some alone."""

    def __init__(self, name: str, prepare: Callable[[], str]) -> None:
        self._prepare = prepare
        self._services = services_of(name)
        self.programs = [service.call for service in self._services]
        self._results: dict[tuple[int, ...], Result] = {}
        # All at once, so that the process remembers the same things in each schedule.
        for order in permutations(range(len(self.programs))):
            self._in_order(order)

    def judge(self, outcome: Outcome) -> None:
        """Raises AssertionError unless the schedule is like one of them."""
        result = _result_of(outcome)
        assert_sound()
        allowed: list[Result] = []
        for order in self._orders(outcome):
            whole = self._in_order(order)
            if result.state == whole.state and whole.answers == tuple(
                result.answers[session] for session in order
            ):
                return
            allowed.append(whole)
        raise AssertionError(
            "\n".join(["like no order of the calls:", *_differences(result, allowed)])
        )

    def _orders(self, outcome: Outcome) -> Iterator[tuple[int, ...]]:
        """Those of all calls, then those without some that have done nothing."""
        sessions = range(len(self.programs))
        idle = {
            session
            for session in sessions
            if self._services[session].has_done_nothing(
                outcome.answers[session], outcome.errors[session]
            )
        }
        for number in reversed(sessions):
            for order in permutations(sessions, number + 1):
                if idle.issuperset(set(sessions).difference(order)):
                    yield order

    def _in_order(self, order: tuple[int, ...]) -> Result:
        """The result of these whole calls, one after the other."""
        if order not in self._results:
            called = [self._services[session] for session in order]
            outcome = run(
                [service.call for service in called],
                lambda _events, ready: ready[0],
                url=self._prepare(),
            )
            for service, answer, error in zip(called, outcome.answers, outcome.errors, strict=True):
                assert error is None or service.has_done_nothing(answer, error), repr(error)
            self._results[order] = _result_of(outcome)
        return self._results[order]


def _result_of(outcome: Outcome) -> Result:
    pairs = zip(outcome.answers, outcome.errors, strict=True)
    answers = (repr(answer) if error is None else type(error).__name__ for answer, error in pairs)
    return Result(tuple(answers), state())


def _differences(result: Result, allowed: Sequence[Result]) -> Iterator[str]:
    yield f"answers {result.answers}; orders {[other.answers for other in allowed]}"
    for other in allowed:
        yield f"more than {other.answers}: {sorted(result.state - other.state, key=repr)}"
        yield f"less: {sorted(other.state - result.state, key=repr)}"
