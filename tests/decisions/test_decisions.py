"""No single person moves money: in no state of the model, and only thanks to every guard."""

from collections.abc import Sequence
from typing import Final

import pytest

from tests.decisions.explore import explore
from tests.decisions.guards import Guard
from tests.decisions.scopes import KILLED_IN, SCOPES

_QUICK: Final = ("case", "roles", "regulator", "stop", "rows-stop", "rows-stop-payments")
"""Scopes of less than half a second."""


def _marks(scope: str) -> Sequence[pytest.MarkDecorator]:
    return () if scope in _QUICK else (pytest.mark.slow,)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in SCOPES])
def test_no_single_person_moves_money(name: str) -> None:
    """The theorem holds in every reachable state, some of which pay."""
    result = explore(SCOPES[name])
    assert result.counterexample is None
    assert result.payments > 0


@pytest.mark.parametrize(
    "guard",
    [pytest.param(guard, marks=_marks(KILLED_IN[guard]), id=guard.name) for guard in Guard],
)
def test_each_guard_is_needed(guard: Guard) -> None:
    """Without it the exploration finds a history that breaks the theorem."""
    assert explore(SCOPES[KILLED_IN[guard]], {guard}).counterexample is not None
