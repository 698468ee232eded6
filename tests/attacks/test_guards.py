"""Each guard of signed decisions is needed: without it an attack succeeds.

A guard is replaced by one that lets everything pass; the attack that it stops must then be paid,
or end a halt, or go unnamed, which its own test notices.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest
from pytest_django import Settings

from compliance.signatures import assertions, verify_signatures
from compliance.signatures.verify_signatures import SignatureVerifier
from payouts.cases import run_cases, verify_case
from payouts.cases.models import CaseHalt
from tests.attacks import test_forged_cases, test_forged_credits, test_forged_keys
from tests.attacks.settings import test_forged_reasons

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

Attack = Callable[..., None]
GUARDS: Final[tuple[tuple[Any, str, Attack], ...]] = (
    (
        verify_case,
        "verify_step",
        test_forged_credits.TestACredit().test_of_unsigned_rows_is_not_paid,
    ),
    (
        verify_case,
        "_require_two_persons",
        test_forged_credits.TestACredit().test_that_was_opened_by_its_approver_is_not_paid,
    ),
    (
        verify_case,
        "_require_one_effect",
        test_forged_credits.TestACredit().test_of_two_effects_is_not_paid,
    ),
    (
        verify_case,
        "_require_one_remedy",
        test_forged_cases.TestAnApprovedCase().test_is_not_executed_by_another_remedy,
    ),
    (
        verify_case,
        "_require_stated_reason",
        test_forged_reasons.TestACase().test_that_hides_the_regulator_is_not_paid,
    ),
    (
        verify_case.ApprovedProposal,
        "_require_digest",
        test_forged_credits.TestACredit().test_whose_digest_was_signed_for_another_amount_is_not_paid,
    ),
    (
        verify_case,
        "_require_plan",
        test_forged_cases.TestAnApprovedCase().test_settles_no_round_that_was_added_to_its_plan,
    ),
    (
        verify_signatures,
        "is_in_log_or_pending",
        test_forged_credits.TestACredit().test_whose_record_is_withheld_from_the_log_is_not_paid,
    ),
    (
        verify_signatures,
        "_require_own_key",
        test_forged_credits.TestACredit().test_that_the_proposer_signed_for_the_approver_is_not_paid,
    ),
    (
        verify_signatures,
        "_require_in_force",
        test_forged_keys.TestAKey().test_that_was_revoked_signs_nothing_more,
    ),
    (
        verify_signatures,
        "_require_signed_with",
        test_forged_credits.TestACredit().test_with_signatures_that_claim_other_records_is_not_paid,
    ),
    (
        SignatureVerifier,
        "_require_approved",
        test_forged_keys.TestAKey().test_whose_approval_is_not_signed_signs_nothing,
    ),
    (
        assertions,
        "_require_authenticator",
        test_forged_keys.TestAKey().test_that_did_not_verify_its_user_signs_nothing,
    ),
    (
        assertions,
        "_require_client_data",
        test_forged_credits.TestACredit().test_with_the_signatures_of_another_credit_is_not_paid,
    ),
    (
        verify_signatures,
        "_require_logged_before_revocation",
        test_forged_keys.TestAKey().test_that_was_revoked_signs_nothing_dated_back,
    ),
    (run_cases, "is_halted", test_forged_cases.TestAHalt().test_stops_the_execution_of_every_case),
    (SignatureVerifier, "verify_entry", test_forged_cases.TestAHalt().test_does_not_end_by_rows),
)


@pytest.mark.parametrize(("place", "guard", "attack"), GUARDS, ids=[name for _, name, _ in GUARDS])
def test_without_the_guard_its_attack_succeeds(
    place: Any, guard: str, attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack's own test fails."""
    passes = guard != "is_halted"
    monkeypatch.setattr(place, guard, lambda *_, **__: passes)

    with pytest.raises((AssertionError, CaseHalt.DoesNotExist)):
        attack()


@pytest.mark.parametrize(
    ("guard", "attack"),
    [
        (
            "_require_authenticator",
            test_forged_keys.TestAKey().test_of_a_demo_signs_nothing_elsewhere,
        ),
        (
            "_require_approved",
            test_forged_keys.TestAKey().test_that_was_made_a_first_key_by_sql_signs_nothing,
        ),
    ],
)
def test_without_the_guard_a_key_counts(
    guard: str, attack: Attack, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key of a demo, and one that SQL made a first key."""
    place = SignatureVerifier if guard == "_require_approved" else verify_signatures
    monkeypatch.setattr(place, guard, lambda *_, **__: True)

    with pytest.raises((AssertionError, CaseHalt.DoesNotExist)):
        attack(settings)


def test_the_list_of_guards_is_complete() -> None:
    """Every function that raises is in it, or is part of one that is."""
    listed = {guard for _, guard, _ in GUARDS}
    required = {
        name
        for module in (verify_case, verify_signatures, assertions)
        for name in vars(module)
        if name.startswith("_require")
    }

    assert required <= listed
