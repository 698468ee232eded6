"""Each guard of the verification of signatures is needed: without it a forgery is paid.

Or it goes unnamed.
"""

from typing import Final

import pytest

from compliance.signatures import log_order, queries, signature_verifier, verify_signatures
from compliance.signatures.signature_verifier import SignatureVerifier
from payouts.cases.models import CaseHalt
from tests.attacks.access.test_deciders_without_roles import TestACredit as _Deciders
from tests.attacks.forgeries import Moved
from tests.attacks.guards import Guard, unguarded
from tests.attacks.keys.test_forged_keys import TestAKey as _Keys
from tests.attacks.keys.test_forged_steps import TestAKey as _Steps
from tests.attacks.keys.test_forged_steps import TestASignature as _Signatures
from tests.attacks.test_forged_credits import TestACredit as _Credits
from tests.compliance.signatures.test_verify_signatures import TestAForgery as _Forgeries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

NO_HALT: Final = CaseHalt.DoesNotExist
"""The forgery is not paid, but an error that nobody expects leaves it unnamed."""


GUARDS: Final = (
    Guard(
        SignatureVerifier.verify,
        "not self._is_earlier(record)",
        _Credits().test_of_unsigned_rows_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier.verify,
        "key is None",
        _Signatures().test_with_a_key_that_is_not_there_pays_nothing,
        noticed_by=NO_HALT,
    ),
    Guard(
        SignatureVerifier.require_entitled,
        "needed and (not any((it.has_permission(record, needed) for it in self._permissions)))",
        _Deciders().test_of_roles_that_rows_alone_give_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier.verify_entry,
        "not is_in_log_or_pending(verified.record)",
        _Credits().test_whose_record_is_withheld_from_the_log_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier._verified,
        "text_of_record(record) == text",
        _Signatures().test_of_another_amount_than_the_row_says_pays_nothing,
        passing="True",
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier.in_force_from,
        "key.id not in self._in_force_from",
        _Forgeries().test_by_two_keys_that_approve_each_other_is_reported,
        passing="True",
        noticed_by=RecursionError,
    ),
    Guard(
        SignatureVerifier._verified_start,
        "is_same_person(one.name, one.user_id, other)",
        _Steps().test_that_its_holder_approved_signs_nothing,
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier._verified_start,
        "approvals[0].at if is_first else None",
        _Keys().test_that_was_made_a_first_key_by_sql_signs_nothing,
        passing="approvals[0].at",
        noticed_by=Moved,
    ),
    Guard(
        SignatureVerifier._require_approved,
        "begins_at is None",
        _Keys().test_whose_approval_is_not_signed_signs_nothing,
        noticed_by=NO_HALT,
    ),
    Guard(
        SignatureVerifier._require_approved,
        "at < begins_at",
        _Keys().test_whose_approval_was_dated_back_signs_nothing_yet,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_own_key,
        "key.person_id != record.actor_user_id",
        _Credits().test_that_the_proposer_signed_for_the_approver_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_authenticator,
        "key.is_software and (not settings.SOFTWARE_KEYS)",
        _Keys().test_of_a_demo_signs_nothing_elsewhere,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_in_force,
        "not period_of(key).contains(at)",
        _Keys().test_that_was_revoked_signs_nothing_more,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_logged_before_revocation,
        "revocation.id != record.id and is_logged_after(record, revocation)",
        _Keys().test_that_was_revoked_signs_nothing_dated_back,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_signed_with,
        "record.id not in together",
        _Credits().test_with_signatures_that_claim_other_records_is_not_paid,
        noticed_by=Moved,
    ),
    Guard(
        signature_verifier._require_signed_with,
        "len(together) != len(record_ids)",
        _Signatures().test_that_claims_a_record_that_is_not_there_pays_nothing,
        noticed_by=NO_HALT,
    ),
    Guard(
        log_order.in_force_by_log,
        "max(in_force_from, logged_at + (in_force_from - approval.at) - LATE)",
        _Keys().test_whose_approval_was_dated_back_signs_nothing_yet,
        passing="in_force_from",
        noticed_by=Moved,
    ),
    Guard(
        log_order.is_logged_after,
        "position is None or position.leaf > before.leaf",
        _Keys().test_that_was_revoked_signs_nothing_dated_back,
        noticed_by=Moved,
    ),
    Guard(
        log_order.is_logged_after,
        "position.leaf > before.leaf",
        _Keys().test_that_was_revoked_signs_nothing_that_is_logged_later,
        noticed_by=Moved,
    ),
    Guard(
        queries.KeyPeriod.contains,
        "self.ends_at is None or at <= self.ends_at",
        _Keys().test_that_was_revoked_signs_nothing_more,
        passing="True",
        noticed_by=Moved,
    ),
    Guard(
        queries.period_of,
        "min(revoked, default=None)",
        _Steps().test_that_was_revoked_twice_ends_with_the_first_time,
        passing="max(revoked, default=None)",
        noticed_by=Moved,
    ),
    Guard(
        queries.approvals_of,
        "step.action == Action.APPROVED",
        _Steps().test_that_was_rejected_signs_nothing,
        passing="True",
        noticed_by=Moved,
    ),
    Guard(
        queries.is_complete,
        "len(approvals) == APPROVERS",
        _Keys().test_that_one_person_approved_signs_nothing,
        passing="bool(approvals)",
        noticed_by=Moved,
    ),
    Guard(
        verify_signatures.verify_records,
        "verifier.verify(record, signature)",
        _Credits().test_of_unsigned_rows_is_not_paid,
        passing="None",
    ),
    Guard(
        verify_signatures._verify_key,
        "is_complete(approvals) and verifier.in_force_from(key) is None",
        _Keys().test_whose_approval_is_not_signed_signs_nothing,
    ),
    Guard(
        verify_signatures._verify_key,
        "verifier.verify_row(step)",
        _Keys().test_whose_delay_was_shortened_by_sql_signs_nothing,
        passing="None",
    ),
    Guard(
        verify_signatures._report_orphans,
        "DecisionSignature.objects.exclude(Exists(records))",
        _Signatures().test_of_a_record_that_was_removed_is_named,
        passing="DecisionSignature.objects.none()",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Most are paid then: no other guard stops them."""
    guard.is_needed(request)


def test_the_list_is_complete() -> None:
    """Each condition under which the verification refuses a decision is in it."""
    assert unguarded(signature_verifier, GUARDS) == set()
