"""No single person moves money: in no state of the model, and only thanks to every guard."""

import pytest

from tests.decisions.explore import explore
from tests.decisions.guards import Guard
from tests.decisions.scopes import KILLED_IN, LARGER, SCOPES


@pytest.mark.parametrize("name", ["case", "roles", "regulator", "bundle", "stop", "rows-stop"])
def test_no_single_person_moves_money(name: str) -> None:
    """The theorem holds in every reachable state, some of which pay."""
    result = explore(SCOPES[name])
    assert result.counterexample is None
    assert result.payments > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["keys", "rows", "rows-regulator", "rows-keys", "rows-revoked", "rows-demo"]
)
def test_forged_rows_move_no_money(name: str) -> None:
    """The same of the scopes that take longer."""
    test_no_single_person_moves_money(name)


@pytest.mark.slow
@pytest.mark.parametrize("guard", list(Guard), ids=lambda guard: guard.name)
def test_each_guard_is_needed(guard: Guard) -> None:
    """Without it the exploration finds a history that breaks the theorem."""
    scopes = {**SCOPES, **LARGER}
    assert explore(scopes[KILLED_IN[guard]], {guard}).counterexample is not None
