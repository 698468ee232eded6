"""Each trigger that refuses a row is needed: once it is dropped, an attack on it succeeds.

Those that look at stored rows are in ``test_triggers_after_rows``, those that keep rows as they
are, or their digests, in ``test_append_only_triggers``.
"""

from datetime import date
from functools import partial
from typing import Final

import pgtrigger
import pytest
from django.db import IntegrityError, ProgrammingError, transaction

from compliance.trail.actor import Actor
from payouts.cases.halt_cases import resume_cases
from payouts.cases.models import CaseHalt, CaseHaltStep, CaseRun, CaseStep, CaseWork
from payouts.cases.remedies import Remedy
from payouts.gaming_days.closing_record import closing_of
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from rounds.models import ClosedDay, Table
from tests.attacks.forgeries import (
    CENTS,
    approval_columns,
    as_owner,
    as_web,
    forged_credit,
    nothing_moves,
    step,
)
from tests.attacks.guards import Attack, fixtures_of, succeeds_without_trigger
from tests.attacks.integrity.stops import resume, stopped
from tests.attacks.integrity.stops import step as stop_step
from tests.attacks.settings.test_forged_limits import TestLimits as _Limits
from tests.attacks.settings.test_forged_limits import table as limited
from tests.attacks.settings.test_forged_reasons import TestAReason as _Reasons
from tests.attacks.settings.test_forged_sandbox import TestTheMark as _Sandbox
from tests.attacks.studios.test_studio_keys import TestAKey as _StudioKeys
from tests.attacks.studios.test_studio_keys import TestATable as _Tables
from tests.attacks.test_append_only_triggers import KEPT
from tests.attacks.test_release_upload import TestTheUploader as _Uploads
from tests.attacks.test_triggers_after_rows import AFTER_ROWS
from tests.casino.access.test_access_database import TestADecision as _Access
from tests.casino.access.test_access_database import people
from tests.casino_in_play import NOW
from tests.compliance.certification.weights.test_set_weights import TestWhatIsRefused as _Weights
from tests.compliance.exports.test_bundle_steps import TestTheDatabase as _Bundles
from tests.compliance.retention.test_legal_holds import TestAHold as _Holds
from tests.compliance.signatures.test_manage_keys import TestAKey as _SigningKeys
from tests.compliance.signatures.test_manage_keys import giulia
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.cases.case_scenarios import credit_proposed, opened
from tests.payouts.disputes.dispute_scenarios import ask, take
from tests.payouts.disputes.test_dispute_deciders import TestADecision as _Disputes
from tests.payouts.disputes.test_dispute_transitions import TestEveryActionInEveryState as _Ways
from tests.payouts.disputes.test_propose_verdict import TestAProposal as _Verdicts
from tests.payouts.disputes.test_propose_verdict import dispute
from tests.payouts.settlement.resettlement_scenarios import GIULIA

pytestmark = pytest.mark.django_db
__all__ = ["dispute", "giulia", "limited", "people"]  # fixtures of the attacks' own tests


def test_a_line_is_not_added_to_a_decided_set(limited: Table) -> None:
    """Of stake limits."""
    _Limits().test_do_not_change_once_they_are_decided(limited)


def test_nobody_decides_a_case_of_their_own(settled_rounds: None) -> None:
    """Giulia approves what she proposed."""
    case = credit_proposed("p-1", CENTS)
    proposal = CaseStep.objects.get(case=case, sequence=2)
    refused = pytest.raises(IntegrityError, match="another has to decide")

    with refused, transaction.atomic(), as_web():
        step(case, 3, GIULIA, **approval_columns(proposal))


def test_nobody_resumes_cases_alone(settled_rounds: None) -> None:
    """Giulia proposes it, and resumes them under another name."""
    nothing_moves(forged_credit())
    halt = CaseHalt.objects.get()
    give_role(GIULIA, "compliance")
    resume_cases(halt_id=halt.pk, seen=0, note="Looked.", at=NOW, actor=GIULIA)
    resumed = {"sequence": 2, "action": "resumed", "note": "Looked.", "at": NOW}
    refused = pytest.raises(IntegrityError, match="no proposal of another person")

    with refused, transaction.atomic(), as_web():
        CaseHaltStep.objects.create(
            halt=halt, **resumed, actor="Somebody", actor_user_id=GIULIA.user_id or 0
        )


def test_nobody_resumes_settlement_alone(settled_rounds: None) -> None:
    """Giulia proposes it, and resumes it under another name."""
    give_role(GIULIA, "compliance")
    stop = stopped()
    resume(by=GIULIA, seen=0)
    refused = pytest.raises(IntegrityError, match="no proposal of another person")

    with refused, transaction.atomic(), as_web():
        stop_step(stop, 2, Actor("Somebody", GIULIA.user_id))


def test_no_execution_begins_at_its_end(settled_rounds: None) -> None:
    """It would never pay what two persons decided."""
    case = opened("goodwill")
    with pytest.raises(ProgrammingError), transaction.atomic(), as_web():
        CaseRun.objects.create(case=case, approved_at=NOW, finished_at=NOW)


def test_no_work_begins_at_its_end(settled_rounds: None) -> None:
    """Nor does a single round."""
    run = CaseRun.objects.create(case=opened("goodwill"), approved_at=NOW)
    done = {"done_at": NOW, "outcome": "done"}
    with pytest.raises(ProgrammingError), transaction.atomic(), as_web():
        CaseWork.objects.create(run=run, number=1, after=0, due_at=NOW, **done)


def test_no_day_is_left_out(db: None) -> None:
    """Each is closed after the one before."""
    with as_web():
        ClosedDay.objects.create(day=date(2026, 1, 1))
        with pytest.raises(IntegrityError, match="needed the day after"), transaction.atomic():
            ClosedDay.objects.create(day=date(2026, 1, 3))


def test_no_day_with_settlements_is_left_out(settled_rounds: None) -> None:
    """Where the trigger that counts rounds is gone."""
    run = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=GIULIA).parts.all()[0].run
    first, last = date(2025, 1, 1), date(2099, 1, 1)
    with as_owner():
        ClosedDay.objects.bulk_create([ClosedDay(day=first), ClosedDay(day=last)])
    closing_of(first, {}, run, at=NOW, actor=GIULIA).save(force_insert=True)

    with pytest.raises(IntegrityError, match="needed the day after"), transaction.atomic():
        closing_of(last, {}, run, at=NOW, actor=GIULIA).save(force_insert=True)


TRIGGERS: Final[tuple[tuple[str, str, Attack], ...]] = (
    (
        "casino_accessdecision",
        "access_decided_by_another",
        _Access().test_of_the_requester_or_the_person_concerned_is_refused,
    ),
    (
        "certification_weightsetapproval",
        "weights_approved_by_another",
        _Weights().test_is_the_same_in_the_database,
    ),
    (
        "exports_bundlestep",
        "bundle_sent_when_signed",
        partial(
            _Bundles().test_refuses,
            steps=[("signed", 1), ("sent", 2)],
            message="does not have two signatures",
        ),
    ),
    (
        "payouts_casestep",
        "case_approved_by_no_uploader",
        partial(
            _Uploads().test_is_refused_by_the_database_as_well,
            fresh_casino="",
            remedy=Remedy.VOID,
        ),
    ),
    ("payouts_casestep", "case_decided_by_another", test_nobody_decides_a_case_of_their_own),
    ("payouts_casehaltstep", "halt_resumed_by_another", test_nobody_resumes_cases_alone),
    (
        "payouts_integritystopstep",
        "stop_resumed_by_another",
        test_nobody_resumes_settlement_alone,
    ),
    ("payouts_caserun", "case_run_begins_unfinished", test_no_execution_begins_at_its_end),
    ("payouts_casework", "case_work_begins_undone", test_no_work_begins_at_its_end),
    ("payouts_dayclosing", "days_left_out_are_empty", test_no_day_with_settlements_is_left_out),
    (
        "payouts_disputestep",
        "dispute_decided_by_another",
        _Disputes().test_is_not_taken_by_a_machine_past_the_application,
    ),
    (
        "payouts_disputestep",
        "dispute_steps_in_order",
        partial(_Ways().test_is_refused_by_the_database_as_well, way=("taken", "rejected")),
    ),
    (
        "payouts_legalholdlift",
        "legal_hold_lifted_by_another",
        _Holds().test_is_not_lifted_by_its_placer_in_sql,
    ),
    ("payouts_reason", "reason_of_a_person", _Reasons().test_of_nobody_is_refused),
    (
        "payouts_verdictproposal",
        "verdict_proposed_in_review",
        partial(_Verdicts().test_is_refused_outside_of_review, until=(take, ask)),
    ),
    ("rounds_closedday", "closed_days_in_order", test_no_day_is_left_out),
    ("rounds_stakelimit", "limit_of_undecided_set", test_a_line_is_not_added_to_a_decided_set),
    (
        "rounds_signaturerequirement",
        "unsigned_allowed_by_another",
        partial(_Tables().test_is_not_opened_by_one_person_in_sql, after_a_proposal=True),
    ),
    (
        "rounds_signedbatch",
        "signed_batch_by_valid_key",
        _StudioKeys().test_that_is_revoked_is_refused_by_the_database,
    ),
    (
        "rounds_studiokeystep",
        "studio_key_approved_by_another",
        _StudioKeys().test_is_not_approved_by_its_proposer,
    ),
    (
        "signatures_signingkeystep",
        "signing_key_approved_by_another",
        _SigningKeys().test_is_not_approved_by_its_holder,
    ),
    (
        "trail_sandboxstart",
        "sandbox_start_while_empty",
        _Sandbox().test_is_refused_once_anything_has_happened,
    ),
)


@pytest.mark.parametrize(
    ("of", "trigger", "attack"), TRIGGERS, ids=[name for _, name, _ in TRIGGERS]
)
def test_without_it_its_attack_succeeds(
    of: str, trigger: str, attack: Attack, request: pytest.FixtureRequest
) -> None:
    """The row is stored."""
    if of in {"rounds_signedbatch", "rounds_studiokeystep"}:
        request.getfixturevalue("table")  # that of the key
    succeeds_without_trigger(of, trigger, attack, **fixtures_of(attack, request))


def test_the_list_is_complete() -> None:
    """Each trigger of ours is in it, or is tried with its kind in another module."""
    declared = {(model._meta.db_table, trigger.name) for model, trigger in pgtrigger.registered()}
    tried = {(of, name) for of, name, _ in (*TRIGGERS, *AFTER_ROWS)}

    assert declared == tried | KEPT.keys()
