"""Decisions of cases that two persons did not sign: no worker pays them, and all are named."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from pytest_django import Settings

from compliance.signatures.manage_keys import approve_key, revoke_key
from compliance.signatures.models import (
    DecisionSignature,
    EarlierDecision,
    SigningKey,
    SigningKeyStep,
)
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.software_key import SoftwareKey
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import reject_case
from payouts.cases.halt_cases import open_halts, resume_cases
from payouts.cases.models import (
    Case,
    CaseHalt,
    CaseHaltStep,
    CasePlan,
    CaseRun,
    CaseStep,
    CaseWork,
    GoodwillCredit,
)
from payouts.cases.remedies import Remedy
from payouts.cases.verify_cases import verify_cases
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from rounds.models import Customer
from tests.attacks.forgeries import (
    CENTS,
    PRESENT,
    approval_columns,
    as_web,
    begin_execution,
    credit_columns,
    forged_credit,
    key_of,
    signed,
    step,
    withheld,
)
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import (
    approve,
    credit_proposed,
    credited,
    execute,
    opened,
    propose,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, stored
from tests.signers import registered, signing

pytestmark = pytest.mark.django_db

ANNA: Final = signing("Anna Riva", 5)


@pytest.fixture(autouse=True)
def _rounds(db: None) -> None:
    """Two settled rounds, and a credit with which both persons have signed before."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()
    credited("p-1", 100)


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_cases(found.append)
    verify_signatures(found.append)
    return found


def nothing_moves(case: Case) -> str:
    """The reason for which the workers halted at the case, having paid nothing."""
    before = Transfer.objects.count(), Settlement.objects.count()
    execute(case)
    assert (Transfer.objects.count(), Settlement.objects.count()) == before
    return CaseHalt.objects.get(case=case).error


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

    def test_with_the_signature_of_another_credit_is_not_paid(self) -> None:
        """Both persons' signatures of 1.00, stored with records of 5,000,000.00."""
        old = CaseStep.objects.get(action="approved")
        record = AuditRecord.objects.get(action="CASE_APPROVED", subject=f"case:{old.case}")
        case = forged_credit()
        with as_web():
            for forged in AuditRecord.objects.filter(subject=f"case:{case}").exclude(
                action="CASE_OPENED"
            ):
                replayed = DecisionSignature.objects.get(record_id=record.pk)
                replayed.record_id, replayed.signed_with = forged.pk, [forged.pk]
                replayed.save(force_insert=True)

        assert "found a signature" in nothing_moves(case)
        assert len([fault for fault in faults() if "found a signature" in fault]) >= 2

    def test_with_a_signature_that_claims_other_records_is_not_paid(self) -> None:
        """The list of what was signed together names the old record only."""
        record = AuditRecord.objects.get(action="CASE_APPROVED")
        case = forged_credit()
        with as_web():
            for forged in AuditRecord.objects.filter(subject=f"case:{case}").exclude(
                action="CASE_OPENED"
            ):
                replayed = DecisionSignature.objects.get(record_id=record.pk)
                replayed.record_id = forged.pk
                replayed.save(force_insert=True)

        assert "found a signature" in nothing_moves(case)

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


class TestAKey:
    def approved_with(self, key: SoftwareKey, **signature: Any) -> Case:
        """Giulia's proposal, approved in Lorenzo's name with a key."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            approval = step(case, 3, LORENZO, **approval_columns(proposal))
            signed(approval, key, **signature)
            begin_execution(case)
        return case

    def test_that_nobody_approved_signs_nothing(self) -> None:
        """Registered in Lorenzo's name by the attacker."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0)

        case = self.approved_with(forger.key)

        assert "not in force then" in nothing_moves(case)

    def test_whose_approval_is_not_signed_signs_nothing(self) -> None:
        """Approved by rows in Giulia's name, dated back."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0)
        with as_web():
            SigningKeyStep.objects.create(
                key=forger.row,
                sequence=1,
                action="approved",
                note="seen",
                in_force_from=NOW - timedelta(days=9),
                at=NOW - timedelta(days=9),
                actor=GIULIA.name,
                actor_user_id=GIULIA.user_id,
            )

        case = self.approved_with(forger.key)

        assert "whose approval is not signed" in nothing_moves(case)
        assert any("no signed approval" in fault for fault in faults())

    def test_that_was_made_a_first_key_by_sql_signs_nothing(self, settings: Settings) -> None:
        """The environment of the workers names the first keys."""
        first = SigningKey.objects.values_list("pk", flat=True)
        settings.SIGNING_KEY_ROOTS = list(first)
        forger = registered(LORENZO.name, LORENZO.user_id or 0)
        with as_web():
            SigningKeyStep.objects.create(
                key=forger.row,
                sequence=1,
                action="rooted",
                in_force_from=NOW - timedelta(days=9),
                at=NOW - timedelta(days=9),
                actor="root on casino-1",
            )

        case = self.approved_with(forger.key)

        assert "whose approval is not signed" in nothing_moves(case)

    def test_whose_delay_was_shortened_by_sql_signs_nothing(self) -> None:
        """A second approval, of rows, that begins earlier than the signed one."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0, at=NOW)
        approve_key(key_id=forger.row.id, note="seen", at=NOW, actor=GIULIA)
        with as_web():
            SigningKeyStep.objects.create(
                key=forger.row,
                sequence=2,
                action="approved",
                note="seen",
                in_force_from=NOW - timedelta(days=9),
                at=NOW - timedelta(days=9),
                actor=GIULIA.name,
                actor_user_id=GIULIA.user_id,
            )

        case = self.approved_with(forger.key)

        assert "not in force then" in nothing_moves(case)
        assert any("approved by Giulia Marchetti" in fault for fault in faults())

    def test_that_was_revoked_signs_nothing_more(self) -> None:
        """Its holder left; the attacker has the key."""
        lost = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        revoke_key(key_id=lost.pk, note="left", at=NOW - timedelta(hours=1), actor=GIULIA)

        case = self.approved_with(key_of(LORENZO))

        assert "not in force then" in nothing_moves(case)

    def test_of_a_demo_signs_nothing_elsewhere(self, settings: Settings) -> None:
        """The private key of a demo lies in a file."""
        key = SoftwareKey.generate()
        row = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        row.pk, row.credential_id, row.public_key = "d" * 64, key.credential_id, key.public.cose
        row.is_software = True
        with as_web():
            row.save(force_insert=True)
            SigningKeyStep.objects.create(
                key=row, sequence=1, action="rooted", in_force_from=NOW, at=NOW, actor="demo"
            )

        case = self.approved_with(key)

        assert "a key of the demo" in nothing_moves(case)

    def test_that_did_not_verify_its_user_signs_nothing(self) -> None:
        """A stolen authenticator without its PIN: present, not verified."""
        case = self.approved_with(key_of(LORENZO), flags=PRESENT)

        assert "found no verified user" in nothing_moves(case)

    def test_of_another_site_signs_nothing(self) -> None:
        """A look-alike page made the person sign."""
        pem = key_of(LORENZO).pem
        elsewhere = SoftwareKey.load(pem, site="sab0t.example", origin="https://sab0t.example")
        row = SigningKey.objects.get(person_id=LORENZO.user_id or 0)

        case = self.approved_with(elsewhere, key_id=row.pk)

        assert "found a signature made at https://sab0t.example" in nothing_moves(case)


class TestAnApprovedCase:
    def test_settles_no_further_round(self) -> None:
        """A work item for r-2 in the execution of a case about r-1."""
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        approve(case)
        with as_web():
            CaseWork.objects.create(
                run_id=case.pk, number=2, round=stored("r-2"), after=1, due_at=NOW
            )

        execute(case)

        assert Settlement.objects.filter(round=stored("r-2")).count() == 1
        assert "a settlement that nobody approved" in CaseHalt.objects.get().error

    def test_settles_no_round_that_was_added_to_its_plan(self) -> None:
        """With the planned settlement to match."""
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        approve(case)
        with as_web():
            planned = CasePlan.objects.get(case=case)
            planned.pk = (case.pk, planned.sequence, 2)
            planned.round_id = stored("r-2").pk
            planned.save(force_insert=True)
            CaseWork.objects.create(
                run_id=case.pk, number=2, round=stored("r-2"), after=1, due_at=NOW
            )

        execute(case)

        assert Settlement.objects.filter(kind="void").count() == 0
        assert "another plan than both persons saw" in CaseHalt.objects.get().error

    def test_is_not_executed_by_another_remedy(self) -> None:
        """The approval of a void, stored for a proposal of the rules."""
        case = opened("malfunction", "r-1")
        proposal = propose(case, Remedy.VOID)
        with as_web():
            columns = {**approval_columns(proposal), "remedy": "real_result"}
            signed(step(case, 3, LORENZO, **columns), key_of(LORENZO))
            begin_execution(case, round=stored("r-1"), after=1)

        assert "found real_result approved, not void" in nothing_moves(case)


class TestAHalt:
    def test_stops_the_execution_of_every_case(self) -> None:
        """A right credit waits."""
        nothing_moves(forged_credit())
        case = credit_proposed("p-1", 200)
        approve(case)

        assert execute(case) == [("", None)]
        assert not GoodwillCredit.objects.filter(case=case).exists()
        assert AuditRecord.objects.filter(action="CASES_HALTED").count() == 1

    def test_ends_by_two_signatures_and_refuses_the_forgery(self) -> None:
        """The right credit is paid, the forged one never."""
        forged = forged_credit()
        nothing_moves(forged)
        case = credit_proposed("p-1", 200)
        approve(case)

        for seen, actor in enumerate((GIULIA, LORENZO)):
            [halt] = open_halts()
            resume_cases(halt_id=halt.pk, seen=seen, note="Looked.", at=NOW, actor=actor)

        assert execute(case) == [("done", None)]
        assert execute(forged) == [("refused", None)]
        assert CaseRun.objects.get(case=forged).finished_at is not None
        assert not GoodwillCredit.objects.filter(case=forged).exists()

    def test_does_not_end_by_rows(self) -> None:
        """Both steps by SQL of the web role."""
        nothing_moves(forged_credit())
        [halt] = open_halts()
        with as_web():
            for sequence, (action, actor) in enumerate(
                (("proposed", GIULIA), ("resumed", LORENZO)), start=1
            ):
                CaseHaltStep.objects.create(
                    halt=halt,
                    sequence=sequence,
                    action=action,
                    note="Looked.",
                    at=NOW,
                    actor=actor.name,
                    actor_user_id=actor.user_id or 0,
                )

        assert len(open_halts()) == 1

    def test_does_not_end_without_a_signature(self) -> None:
        """A person whose key is elsewhere."""
        nothing_moves(forged_credit())
        [halt] = open_halts()

        with pytest.raises(SignatureRequired):
            resume_cases(
                halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=Actor("Anna Riva", 5)
            )

    def test_is_not_removed_by_the_web_role(self) -> None:
        """Nor added."""
        nothing_moves(forged_credit())

        for attempt in (
            lambda: CaseHalt.objects.all().delete(),
            lambda: CaseHalt.objects.update(error=""),
            lambda: CaseHalt.objects.create(case=Case.objects.earliest("pk"), error="", at=NOW),
        ):
            with pytest.raises(ProgrammingError), transaction.atomic(), as_web():
                attempt()


def test_no_decision_is_declared_as_one_from_before_signatures() -> None:
    """The web role adds no row to that list."""
    with pytest.raises(ProgrammingError, match="denied"), transaction.atomic(), as_web():
        EarlierDecision.objects.create(record_id=AuditRecord.objects.latest("id").pk)


def test_what_two_persons_signed_is_right() -> None:
    """The control: nothing is reported, and the customer has the credit."""
    case = credit_proposed("p-1", 200)
    approve(case, actor=ANNA)

    assert execute(case) == [("done", None)]
    assert faults() == []
    credit = GoodwillCredit.objects.get(case=case)
    assert (credit.customer, credit.cents) == (Customer.objects.get(pseudonym="p-1"), 200)
