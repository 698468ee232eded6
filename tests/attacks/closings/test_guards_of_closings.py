"""The guards that refuse a forged closing: without each of them an attack succeeds."""

from functools import partial
from typing import Final

import pytest

from compliance.retention import retention_periods
from compliance.trail.log.stored_tree import NotInLog
from payouts.gaming_days import close_day as service
from payouts.gaming_days import close_empty_days, verify_closing
from tests.attacks.closings.test_forged_closings import TestAClosing as Closing
from tests.attacks.closings.test_forged_closings import played
from tests.attacks.guards import Guard, unguarded
from tests.payouts.gaming_days.day_scenarios import COMPLIANCE

__all__ = ["played"]  # a fixture

_unsigned: Final = Closing().test_with_an_unsigned_record_is_named
_changed: Final = Closing().test_by_night_that_was_changed_is_named
_of_night: Final = verify_closing.record_without_signature
_last: Final = "require_last_closing()"
GUARDS: Final = (
    Guard(
        verify_closing.require_last_closing,
        "closing is None",
        Closing().test_without_totals_lets_no_further_day_be_closed,
        noticed_by=AttributeError,
    ),
    Guard(
        verify_closing.record_of_closing,
        "require_signed(row)",
        _unsigned,
        passing="None",
        noticed_by=NotInLog,  # the bundle proves it as soon as the log has it
    ),
    Guard(
        _of_night,
        "record.actor_user_id is None or is_earlier",
        Closing().test_in_a_name_that_a_worker_recorded_is_named,
        passing="True",
    ),
    Guard(
        _of_night,
        "record.details.get('digest') == digest.hex() == bytes(closing.digest).hex()",
        partial(_changed, columns={"totals": {"day": "2026-11-09"}}),
        passing="True",
    ),
    Guard(
        _of_night,
        "closing.actor",
        partial(_changed, columns={"actor": COMPLIANCE.name}),
        passing="'nightly closing'",
    ),
    Guard(
        _of_night,
        "closing.actor_user_id",
        partial(_changed, columns={"actor_user_id": COMPLIANCE.user_id}),
        passing="None",
    ),
    Guard(
        service.close_day,
        "record_decision(closing.entry, at=at, actor=actor)",
        Closing().test_without_a_key_closes_nothing,
        passing="None",
    ),
    Guard(
        verify_closing.require_last_closing, "record_of_closing(closing)", _unsigned, passing="None"
    ),
    Guard(close_empty_days.close_empty_days, _last, _unsigned, passing="None"),
    Guard(service._review, _last, _unsigned, passing="None"),
    Guard(retention_periods.why_not_closed, _last, _unsigned, passing="None"),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The day counts as closed."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a closing is refused is in it."""
    assert unguarded(verify_closing, GUARDS) == set()
