"""What a check of ``manage.py doctor`` finds."""

from casino.operations.checks.finding import State, finding_of
from casino.operations.doctor import CHECKS

OK, WARNING, ERROR = State.OK, State.WARNING, State.ERROR


def found(name: str) -> tuple[State, str]:
    """The state and what the check found; what is not in order says what to do."""
    finding = finding_of(CHECKS[name])
    assert finding.needed
    assert bool(finding.todo) == (finding.state is not OK)
    return finding.state, finding.found
