"""Every audit action in the history of a round or a table has its colour and icon."""

from typing import Final

import pytest

from casino.backoffice.site.timeline import _DOTS, _OTHER
from compliance.storage.app_declarations import declarations
from rounds.models import SignatureRequirement, Table, TableSuspension
from tests.compliance.trail.recorded_actions import recorded_about

_REST: Final = {
    "round": {"ROUND_REFUSED"},
    "table": {"SIGNATURES_REQUIRED", "UNSIGNED_ROUNDS_ALLOWED", "UNSIGNED_ROUNDS_PROPOSED"},
}
"""Actions with the dot of all others."""
_OF_ROUNDS_AND_OTHERS: Final = {
    "WORK_ASSIGNED",
    "WORK_RESOLVED",
    "COMMENT_WRITTEN",
    "COMMENT_WITHDRAWN",
}
"""Their subject may be a round, or another item or record."""
_OF_NO_HISTORY: Final = {"TABLE_IN_ALARM"}
"""Its subject is the monitor's alarm."""


def actions_about(kind: str) -> set[str]:
    """Recorded with this kind of subject, or declared with its name."""
    declared = {name for _app, names in declarations("audit_actions", "ACTIONS") for name in names}
    named = {name for name in declared if name.startswith(f"{kind.upper()}_")}
    return (named | recorded_about(kind) | _steps_of(kind)) - _OF_NO_HISTORY


def _steps_of(kind: str) -> set[str]:
    if kind == "round":
        return _OF_ROUNDS_AND_OTHERS
    table = Table(code="bj-1")
    return {
        model(table=table, action=action).entry.action
        for model in (TableSuspension, SignatureRequirement)
        for action in model.Action.values
    }


@pytest.mark.parametrize("kind", ["round", "table"])
def test_every_action_has_a_dot_or_that_of_all_others(kind: str) -> None:
    """And each dot has an action that is recorded."""
    expected = actions_about(kind)

    assert len(expected) > 5
    assert {*_DOTS[kind]} - {_OTHER} | _REST[kind] == expected
    assert not _REST[kind] & {*_DOTS[kind]}
