"""What a check of ``manage.py doctor`` finds."""

from casino.operations.checks.check_result import State, run_check
from casino.operations.doctor import CHECKS

OK, WARNING, ERROR = State.OK, State.WARNING, State.ERROR


def found(name: str) -> tuple[State, str]:
    """The state and what the check found; what is not in order says what to do."""
    result = run_check(CHECKS[name])
    assert result.needed
    assert bool(result.todo) == (result.state is not OK)
    return result.state, result.found
