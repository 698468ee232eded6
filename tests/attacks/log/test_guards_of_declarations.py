"""Declarations of lost records without the guards that refuse forged ones."""

from functools import partial
from typing import Final

import pytest

from compliance.signatures import log_gaps
from compliance.signatures.log_gaps import NothingLost
from compliance.signatures.models import EarlierDecision
from compliance.trail.log import log_gaps as gaps_of_log
from compliance.trail.log.log_losses import LogLoss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import AuditRecord
from tests.attacks.guards import Guard, unguarded
from tests.attacks.log import test_forged_declarations as declarations
from tests.attacks.log import test_forged_gaps as gaps
from tests.attacks.log.declarations import assert_refused
from tests.compliance.trail.logs import append_signed, tamper
from tests.compliance.trail.lost_logs import declare, propose
from tests.payouts.settlement.resettlement_scenarios import GIULIA

pytestmark = pytest.mark.django_db


def test_a_declaration_from_before_signatures_is_refused(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """There is none: the owner of the tables lists forged records as such."""
    declarations.test_unsigned_records_are_refused(witnessed, loss)
    for record in AuditRecord.objects.filter(action__startswith="LOG_GAP_"):
        EarlierDecision.objects.create(record_id=record.pk)

    assert_refused(witnessed)


def test_a_declaration_outside_of_the_log_is_refused(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """Somebody could withhold it from the log."""
    declare(loss)
    tamper("DELETE FROM trail_pendingbatch")

    assert_refused(witnessed)


def test_nothing_is_declared_where_nothing_is_lost(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """The log was continued."""
    declare(loss)
    append_signed(witnessed=witnessed)

    with pytest.raises(NothingLost):
        propose(loss)


def test_another_loss_is_not_declared(loss: LogLoss) -> None:
    """A page that was opened before."""
    head = loss.witnessed.head._replace(sequence=9)

    with pytest.raises(NothingLost):
        propose(LogLoss(loss.stored, loss.witnessed._replace(head=head)))


_no_proposal: Final = declarations.test_what_is_no_proposal_is_not_confirmed
GUARDS: Final = (
    Guard(
        log_gaps._lock_loss,
        "loss is None",
        test_nothing_is_declared_where_nothing_is_lost,
        noticed_by=AttributeError,
    ),
    Guard(log_gaps._lock_loss, "loss.subject != subject", test_another_loss_is_not_declared),
    Guard(
        log_gaps._verify_proposal,
        "(proposal.action, proposal.subject) != (GAP_PROPOSED, loss.subject)",
        partial(gaps.test_another_decision_is_no_proposal, action="LOG_GAP_CONFIRMED"),
    ),
    Guard(
        log_gaps._verify_proposal,
        "proposal.details != {**loss.details, 'reason': proposal.details.get('reason')}",
        partial(
            declarations.test_a_proposal_of_something_else_is_refused, changed={"lost_records": 1}
        ),
    ),
    Guard(
        log_gaps._verify_record,
        "is_new and period_of(signature.key).ends_at is not None",
        partial(
            declarations.test_a_key_that_was_revoked_meanwhile_is_refused,
            leaver=GIULIA,
        ),
    ),
    Guard(
        log_gaps._verify_record,
        "SignatureVerifier().verify(record, signature)",
        declarations.test_a_confirmation_with_a_copied_signature_is_refused,
        passing="None",
    ),
    Guard(
        log_gaps._verify_record,
        "signature is None",
        test_a_declaration_from_before_signatures_is_refused,
        noticed_by=AttributeError,
    ),
    Guard(
        log_gaps._verify_record,
        "not is_in_log_or_pending(record)",
        test_a_declaration_outside_of_the_log_is_refused,
    ),
    Guard(
        log_gaps.confirm_log_gap,
        "is_same_person(record.actor, record.actor_user_id, actor)",
        declarations.test_one_person_alone_is_refused,
    ),
    Guard(log_gaps.confirm_log_gap, "record is None", _no_proposal, noticed_by=AttributeError),
    Guard(log_gaps.confirm_log_gap, "record not in log_gap_proposals(loss)", _no_proposal),
    Guard(log_gaps.propose_log_gap, "not reason.strip()", declarations.test_a_reason_is_needed),
    Guard(
        log_gaps.propose_log_gap,
        "record_decision(Entry(GAP_PROPOSED, loss.subject, details), at=at, actor=actor)",
        declarations.test_a_proposal_is_not_written_without_a_signature,
        passing="None",
    ),
    Guard(
        log_gaps.confirm_log_gap,
        "record_decision(entry, at=at, actor=actor)",
        declarations.test_a_confirmation_is_not_written_without_a_signature,
        passing="None",
    ),
    Guard(
        log_gaps.verify_declaration,
        "(confirmation.action, confirmation.subject) != (GAP_CONFIRMED, loss.subject)",
        gaps.test_another_decision_is_no_confirmation,
    ),
    Guard(
        log_gaps.verify_declaration,
        "confirmation.details != _confirmation_details(proposal)",
        partial(
            declarations.test_a_confirmation_of_something_else_is_refused,
            changed={"reason": "other"},
        ),
    ),
    Guard(
        log_gaps.verify_declaration,
        "is_same_person(proposal.actor, proposal.actor_user_id, "
        "Actor(confirmation.actor, confirmation.actor_user_id))",
        declarations.test_one_person_alone_is_refused,
    ),
    Guard(
        gaps_of_log.declared_gap,
        "{place.head_id for place in places.values()} != {gap.sequence + 1}",
        gaps.test_a_declaration_that_was_signed_later_is_named,
    ),
    Guard(
        gaps_of_log.declared_gap,
        "records.keys() != {gap.proposal_id, gap.confirmation_id}",
        partial(gaps.test_a_gap_without_records_is_named, column="proposal_id"),
        noticed_by=KeyError,
    ),
    Guard(
        gaps_of_log.declared_gap,
        "heads.keys() != {gap.after, gap.sequence}",
        gaps.test_a_wider_gap_is_named,
        noticed_by=KeyError,
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The log is continued, or a gap goes unnamed."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a declaration is refused is in it."""
    assert unguarded(log_gaps, GUARDS) == set()
