"""The judgement of a schedule: it must be like an order of whole calls."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tests.interleavings.scenes import PAIRS, SERVICES, Service, assert_sound, state
from tests.interleavings.schedules import Outcome, run

State = frozenset[tuple[Any, ...]]


class Result(NamedTuple):
    """What the callers were told, and the state after them."""

    answers: tuple[str, ...]
    state: State


class Pair:
    """Two services, with the results of their orders and of each alone."""

    def __init__(self, name: str, prepare: Callable[[], str]) -> None:
        self.services = [SERVICES[service] for service in PAIRS[name]]
        self.programs = [service.call for service in self.services]
        self._orders = [self._in_order(prepare, turn) for turn in (0, -1)]
        self._alone = [_alone(service, prepare) for service in self.services]

    def judge(self, outcome: Outcome) -> None:
        """Raises AssertionError unless the schedule is like one of them."""
        result = _result_of(outcome)
        assert_sound()
        allowed = [*self._orders, *self._one_refused(outcome)]
        if result not in allowed:
            raise AssertionError(
                "\n".join(["like no order of the calls:", *_differences(result, allowed)])
            )

    def _in_order(self, prepare: Callable[[], str], turn: int) -> Result:
        outcome = run(self.programs, lambda _events, ready: ready[turn], url=prepare())
        for service, answer, error in zip(
            self.services, outcome.answers, outcome.errors, strict=True
        ):
            assert error is None or service.has_done_nothing(answer, error), repr(error)
        return _result_of(outcome)

    def _one_refused(self, outcome: Outcome) -> Iterator[Result]:
        """The results in which one service has done its work, and the other nothing."""
        answers = _answers_of(outcome)
        for done, other in ((0, 1), (1, 0)):
            answer, error = outcome.answers[other], outcome.errors[other]
            if self.services[other].has_done_nothing(answer, error):
                alone = self._alone[done]
                if answers[done] == alone.answers[0]:
                    yield Result(answers, alone.state)


def _alone(service: Service, prepare: Callable[[], str]) -> Result:
    outcome = run([service.call], lambda _events, ready: ready[0], url=prepare())
    return _result_of(outcome)


def _result_of(outcome: Outcome) -> Result:
    return Result(_answers_of(outcome), state())


def _answers_of(outcome: Outcome) -> tuple[str, ...]:
    pairs = zip(outcome.answers, outcome.errors, strict=True)
    return tuple(repr(answer) if error is None else type(error).__name__ for answer, error in pairs)


def _differences(result: Result, allowed: Sequence[Result]) -> Iterator[str]:
    yield f"answers {result.answers}; orders {[other.answers for other in allowed]}"
    for other in allowed:
        yield f"more than {other.answers}: {sorted(result.state - other.state, key=repr)}"
        yield f"less: {sorted(other.state - result.state, key=repr)}"
