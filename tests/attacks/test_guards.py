"""Each guard of decided cases is needed: without it an attack is paid, or ends a halt.

The guards of signatures and of what is in force are tested with the attacks on them.
"""

from functools import partial
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import IntegrityError

from compliance.signatures import sign_decision
from payouts import verify_resumption
from payouts.cases import halt_cases, run_cases, verify_case
from payouts.cases.halt_cases import ResumptionChanged
from payouts.cases.models import CaseHalt
from payouts.cases.verify_case import ApprovedProposal
from payouts.settlement.four_eyes import FourEyesRequired
from tests.attacks.forgeries import Moved
from tests.attacks.guards import Guard, unguarded
from tests.attacks.settings.test_forged_reasons import OF_CASES
from tests.attacks.test_forged_cases import TestAnApprovedCase as _Cases
from tests.attacks.test_forged_credits import TestACredit as _Credits
from tests.attacks.test_halted_cases import TestAHalt as _Halts
from tests.attacks.test_unapproved_payment import GUARDS as OF_SETTLEMENTS
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds", "resumers")]

_PAID: Final[dict[str, Any]] = {"noticed_by": Moved}
_by_service: Final = _Halts().test_does_not_end_alone_or_unseen
_ends_halt: Final = _Halts().test_does_not_end_by_two_proposals_or_one_person
GUARDS: Final = (
    Guard(
        verify_case.verify_step,
        "verifier.verify_row(step)",
        _Credits().test_of_unsigned_rows_is_not_paid,
        passing="True",
        **_PAID,
    ),
    Guard(
        verify_case._latest_decision,
        "[step.action for step in latest] != needed",
        _Cases().test_that_the_regulator_refused_is_not_executed,
        **_PAID,
    ),
    Guard(
        verify_case._require_two_persons,
        "(Actor(proposal.actor, proposal.actor_user_id), _opener(case))",
        _Credits().test_that_was_opened_by_its_approver_is_not_paid,
        passing="()",
        **_PAID,
    ),
    Guard(
        verify_case._require_one_effect,
        "bytes(approval.effect_digest or b'') != bytes(proposal.effect_digest or b'')",
        _Credits().test_of_two_effects_is_not_paid,
        **_PAID,
    ),
    Guard(
        verify_case._require_one_remedy,
        "approval.remedy != proposal.remedy",
        _Cases().test_is_not_executed_by_another_remedy,
        **_PAID,
    ),
    Guard(
        ApprovedProposal._require_digest,
        "self._digest != digest",
        _Credits().test_whose_digest_was_signed_for_another_amount_is_not_paid,
        **_PAID,
    ),
    Guard(
        verify_case._require_plan,
        "digest_of_plan(plan.values()) != digest",
        _Cases().test_settles_no_round_that_was_added_to_its_plan,
        **_PAID,
    ),
    Guard(
        ApprovedProposal.settlement,
        "planned is None",
        _Cases().test_settles_no_further_round,
        noticed_by=CaseHalt.DoesNotExist,  # an error that nobody expects leaves it unnamed
    ),
    Guard(
        ApprovedProposal.require_settled,
        "PlannedSettlement.of(planned.round_id, planned.after, grades) != planned",
        _Cases().test_pays_nothing_else_than_both_persons_saw,
        **_PAID,
    ),
    Guard(
        run_cases._work_on_next,
        "is_halted()",
        _Halts().test_stops_the_execution_of_every_case,
        **_PAID,
    ),
    Guard(
        verify_resumption.is_resumed,
        "_is_signed(step, verifier)",
        _Halts().test_does_not_end_by_rows,
        passing="True",
    ),
    Guard(
        verify_resumption.is_resumed,
        "[step.action for step in steps] != [Action.PROPOSED, Action.RESUMED]",
        partial(_ends_halt, "proposed", LORENZO),
        passing="len(steps) != 2",
    ),
    Guard(
        verify_resumption.is_resumed,
        "is_same_person(proposed.actor, proposed.actor_user_id, second)",
        partial(_ends_halt, "resumed", GIULIA),
    ),
    # The table of the steps refuses these three as well.
    Guard(
        halt_cases.resume_cases,
        "steps and is_same_person(steps[0].actor, steps[0].actor_user_id, actor)",
        partial(_by_service, 1, GIULIA, FourEyesRequired),
        noticed_by=IntegrityError,
    ),
    Guard(
        halt_cases.resume_cases,
        "len(steps) != seen",
        partial(_by_service, 0, LORENZO, ResumptionChanged),
        noticed_by=IntegrityError,
    ),
    Guard(
        halt_cases.resume_cases,
        "seen > 1",
        _Halts().test_does_not_end_twice,
        noticed_by=IntegrityError,
    ),
    Guard(
        sign_decision.create_signed_step,
        "record_decision(step.entry, at=at, actor=actor)",
        _Halts().test_does_not_end_without_a_signature,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """It is paid, or the halt ends."""
    guard.is_needed(request)


@pytest.mark.parametrize("module", [verify_case, halt_cases, verify_resumption])
def test_the_list_is_complete(module: ModuleType) -> None:
    """Each condition under which a worker refuses a case, or a service to resume, is in it."""
    assert unguarded(module, (*GUARDS, *OF_CASES, *OF_SETTLEMENTS)) == set()
