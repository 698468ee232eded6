"""Resumptions of settlement without the guards that refuse forged ones."""

from functools import partial
from typing import Final

import pytest
from django.db import IntegrityError

from compliance.storage.database_roles.role import DatabaseRole
from payouts import verify_resumption
from payouts.integrity import resume_settlement
from payouts.integrity.resume_settlement import StopsChanged
from payouts.settlement.four_eyes import FourEyesRequired
from tests.attacks.guards import Guard, unguarded
from tests.attacks.integrity import test_forged_resumptions as forged
from tests.attacks.integrity.test_forged_resumptions import stop
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

__all__ = ["stop"]  # a fixture
pytestmark = pytest.mark.django_db

_refused: Final = forged.test_is_refused
GUARDS: Final = (
    Guard(
        verify_resumption.is_resumed,
        "[step.action for step in steps] != [Action.PROPOSED, Action.RESUMED]",
        partial(
            forged.test_two_proposals_or_one_person_resume_nothing,
            action="proposed",
            second=LORENZO,
        ),
        passing="len(steps) != 2",
    ),
    Guard(
        verify_resumption.is_resumed,
        "is_same_person(proposed.actor, proposed.actor_user_id, second)",
        partial(
            forged.test_two_proposals_or_one_person_resume_nothing, action="resumed", second=GIULIA
        ),
    ),
    Guard(
        verify_resumption.is_resumed,
        "_is_signed(step, verifier)",
        partial(forged.test_rows_resume_nothing, role=DatabaseRole.WEB),
        passing="True",
    ),
    Guard(
        verify_resumption._is_signed,
        "verifier.verify_row(step)",
        forged.test_rows_from_before_signatures_resume_nothing,
        passing="verifier.verify_row(step) or True",
    ),
    Guard(
        resume_settlement.resume_settlement,
        "len(stops) != max(len(seen), 1)",
        forged.test_an_unknown_stop_is_refused,
    ),
    Guard(
        resume_settlement._resume,
        "seen > 1",
        forged.test_nothing_is_resumed_twice,
        noticed_by=IntegrityError,
    ),
    Guard(
        resume_settlement._resume,
        "len(steps) != seen",
        partial(_refused, seen=0, actor=LORENZO, refusal=StopsChanged),
        noticed_by=IntegrityError,
    ),
    Guard(
        resume_settlement._resume,
        "steps and is_same_person(steps[0].actor, steps[0].actor_user_id, actor)",
        partial(_refused, seen=1, actor=GIULIA, refusal=FourEyesRequired),
        noticed_by=IntegrityError,
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Settlement goes on, or the service writes what the worker refuses."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a resumption is refused is in it."""
    assert unguarded(resume_settlement, GUARDS) == set()
