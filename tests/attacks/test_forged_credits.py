"""Credits that two persons did not sign: no worker pays them, and all are named."""

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import reject_case
from payouts.cases.models import (
    CaseStep,
)
from tests.attacks.forgeries import (
    CENTS,
    approval_columns,
    as_web,
    begin_execution,
    credit_columns,
    faults,
    forged_credit,
    key_of,
    nothing_moves,
    replayed_signatures,
    signed,
    step,
    withheld,
)
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import (
    credit_proposed,
    opened,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]


class TestACredit:
    def test_of_unsigned_rows_is_not_paid(self) -> None:
        """Case, steps, execution, and their audit records, by SQL of the web role."""
        case = forged_credit()

        assert nothing_moves(case) == f"{case}, proposed by {GIULIA.name}: found no signature"
        named = [fault for fault in faults() if f"{case}" in fault]
        assert len(named) == 4  # both steps, both records

    def test_without_audit_records_is_not_paid(self) -> None:
        """Rows alone."""
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            proposal = step(case, 2, GIULIA, **credit_columns())
            step(case, 3, LORENZO, **approval_columns(proposal))
            begin_execution(case)

        assert "found no audit record of it" in nothing_moves(case)
        assert len(faults()) == 2

    def test_without_steps_is_not_paid(self) -> None:
        """An execution of a case that was only opened."""
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            begin_execution(case)

        assert "found no proposal that was approved" in nothing_moves(case)

    def test_that_only_one_person_signed_is_not_paid(self) -> None:
        """Giulia's real proposal, approved in Lorenzo's name."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            step(case, 3, LORENZO, **approval_columns(proposal))
            begin_execution(case)

        assert f"{case}, approved by {LORENZO.name}" in nothing_moves(case)

    def test_that_the_proposer_signed_for_the_approver_is_not_paid(self) -> None:
        """With her own key in his name."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            signed(step(case, 3, LORENZO, **approval_columns(proposal)), key_of(GIULIA))
            begin_execution(case)

        assert "another person's key" in nothing_moves(case)
        assert any("another person's key" in fault for fault in faults())

    def test_with_the_signatures_of_another_credit_is_not_paid(self) -> None:
        """Both persons' signatures of 1.00, stored with records of 5,000,000.00."""
        case = forged_credit()
        for record, replayed in replayed_signatures(case):
            replayed.record_id, replayed.signed_with = record.pk, [record.pk]
            with as_web():
                replayed.save(force_insert=True)

        assert "found a signature of another text" in nothing_moves(case)
        assert len([fault for fault in faults() if "found a signature" in fault]) == 4

    def test_with_signatures_that_claim_other_records_is_not_paid(self) -> None:
        """The lists of what was signed together name the old records only."""
        case = forged_credit()
        for record, replayed in replayed_signatures(case):
            replayed.record_id = record.pk
            with as_web():
                replayed.save(force_insert=True)

        assert "found a signature of other records" in nothing_moves(case)

    def test_of_a_changed_amount_is_not_paid(self) -> None:
        """What was signed names 2.00; the row of the proposal says 5,000,000.00."""
        small = credit_proposed("p-1", 200)
        record = AuditRecord.objects.get(action="CASE_PROPOSED", subject=f"case:{small}")
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            proposal = step(case, 2, GIULIA, **credit_columns())
            signed(step(case, 3, LORENZO, **approval_columns(proposal)), key_of(LORENZO))
            begin_execution(case)

        assert record.details["amount"] == "2.00"
        assert f"{case}, proposed by {GIULIA.name}" in nothing_moves(case)

    def test_whose_digest_was_signed_for_another_amount_is_not_paid(self) -> None:
        """Two accomplices may sign any text; the worker pays only what the digest covers."""
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            columns = {**credit_columns(100), "cents": CENTS}
            proposal = step(case, 2, GIULIA, **columns)
            approval = step(case, 3, LORENZO, **approval_columns(proposal))
            signed(proposal, key_of(GIULIA))
            signed(approval, key_of(LORENZO))
            begin_execution(case)

        assert "a credit that nobody approved" in nothing_moves(case)

    def test_of_two_effects_is_not_paid(self) -> None:
        """Each person signed another effect."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            columns = {**approval_columns(proposal), "effect_digest": bytes(32)}
            signed(step(case, 3, LORENZO, **columns), key_of(LORENZO))
            begin_execution(case)

        assert "found two effects" in nothing_moves(case)

    def test_that_was_opened_by_its_approver_is_not_paid(self) -> None:
        """The trigger refuses it; so does the worker if the trigger is gone."""
        with as_web():
            case = opened("goodwill", actor=Actor(LORENZO.name, 99))
            proposal = step(case, 2, GIULIA, **credit_columns())
            signed(proposal, key_of(GIULIA))
        approval = CaseStep(
            case=case,
            sequence=3,
            note="Seen.",
            at=NOW,
            actor="Lorenzo  Ferri",
            actor_user_id=LORENZO.user_id or 0,
            **approval_columns(proposal),
        )
        with as_web():
            approval.save(force_insert=True)
            signed(approval, key_of(LORENZO))
            begin_execution(case)

        assert "needed two persons" in nothing_moves(case)

    def test_that_was_rejected_is_not_approved_by_rows(self) -> None:
        """The database takes no approval after the rejection, nor a rejection before it."""
        case = credit_proposed("p-1", CENTS)
        reject_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=LORENZO)
        proposal = CaseStep.objects.get(case=case, sequence=2)

        refused = pytest.raises(IntegrityError, match="nothing is proposed")
        with refused, transaction.atomic(), as_web():
            step(case, 4, LORENZO, **approval_columns(proposal))

    def test_whose_record_is_withheld_from_the_log_is_not_paid(self) -> None:
        """Both signed, but one record stands in no batch: the log would never show it."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            approval = step(case, 3, LORENZO, **approval_columns(proposal))
            record = withheld(approval)
            signed(approval, key_of(LORENZO), record=record)
            begin_execution(case)

        assert "found its record outside the log" in nothing_moves(case)
