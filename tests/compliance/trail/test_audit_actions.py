"""Each application declares the audit actions that it records."""

from typing import Final

from compliance.storage.app_declarations import declarations
from tests.compliance.trail.recorded_actions import recorded_entries, recorded_words

_DECLARED: Final = {
    action for _name, actions in declarations("audit_actions", "ACTIONS") for action in actions
}


class TestTheDeclaredActions:
    def test_include_every_recorded_one(self) -> None:
        """Otherwise the pages show its code in capitals."""
        recorded = recorded_entries()

        assert {"TABLE_CHANGED", "SCHEMA_DIFFERS", "CASE_OPENED"} <= recorded
        assert recorded - _DECLARED == set()

    def test_are_recorded_somewhere(self) -> None:
        """The label of a removed action is removed with it."""
        assert recorded_words() >= _DECLARED
