"""Lost records that two persons did not declare: no worker continues the log."""

from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.db import transaction

from compliance.signatures.log_gaps import (
    AnotherPersonRequired,
    NothingLost,
    ReasonRequired,
    confirm_log_gap,
    log_gap_proposals,
    propose_log_gap,
)
from compliance.signatures.manage_keys import revoke_key
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.sign_decision import SignatureRequired, record_decision
from compliance.signatures.signature_verifier import NotEntitled
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import LogBehind, LogLoss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.log.stored_heads import signed_head_of
from compliance.trail.models import AuditRecord, TreeHead
from compliance.trail.record import Entry, record_entry
from tests.attacks.forgeries import as_web, sign_past_services
from tests.attacks.log.declarations import (
    assert_refused,
    confirmation_of,
    gap_faults,
    loss_id,
)
from tests.compliance.trail.logs import KEY, NOW, append_signed
from tests.compliance.trail.lost_logs import (
    REASON,
    declare,
    give_role,
    lose,
    propose,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import ANOTHER, signing

pytestmark = pytest.mark.django_db

MARTA: Final = signing("Marta Riva", 8, roles=())
"""Has a key and no role."""


def test_a_loss_that_two_persons_declared_is_continued(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """The control."""
    declare(loss)

    assert append_signed(witnessed=witnessed).head.sequence == witnessed.head.sequence + 1
    assert gap_faults() == []


def test_one_person_alone_is_refused(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """By the service, and by the worker a second signature past it."""
    proposal = propose(loss)

    with pytest.raises(AnotherPersonRequired):
        confirm_log_gap(proposal=proposal.id, at=NOW, actor=GIULIA)
    record_decision(confirmation_of(proposal), at=NOW, actor=GIULIA)
    assert_refused(witnessed)


def test_unsigned_records_are_refused(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """By SQL of the web role, in the names of two persons."""
    with as_web():
        entry = Entry("LOG_GAP_PROPOSED", loss.subject, {**loss.details, "reason": REASON})
        key = record_entry(entry, at=NOW, actor=Actor(GIULIA.name, GIULIA.user_id))
        proposal = AuditRecord.objects.get(pk=key)
        actor = Actor(LORENZO.name, LORENZO.user_id)
        record_entry(confirmation_of(proposal), at=NOW, actor=actor)

    assert log_gap_proposals(loss) == []
    assert_refused(witnessed)


def test_a_confirmation_with_a_copied_signature_is_refused(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """Giulia's signature, stored again as Lorenzo's."""
    proposal = propose(loss)
    copied = DecisionSignature.objects.get(pk=proposal.pk)
    with as_web():
        actor = Actor(LORENZO.name, LORENZO.user_id)
        copied.record_id = record_entry(confirmation_of(proposal), at=NOW, actor=actor)
        copied.signed_with = [copied.record_id]
        copied.save(force_insert=True)

    assert_refused(witnessed)


def test_a_declaration_is_not_used_for_a_second_loss(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """The same backup is restored again: it has the declaration, but more is lost."""
    declare(loss)
    before = transaction.savepoint()
    later = append_signed(witnessed=witnessed)
    transaction.savepoint_rollback(before)

    assert_refused(later)


@pytest.mark.parametrize("changed", [{"lost_records": 1}, {"stored": {}}, {"reason": "other"}])
def test_a_confirmation_of_something_else_is_refused(
    witnessed: WitnessedHead, loss: LogLoss, changed: dict[str, Any]
) -> None:
    """Both sign the same."""
    record_decision(confirmation_of(propose(loss), **changed), at=NOW, actor=LORENZO)

    assert_refused(witnessed)


@pytest.mark.parametrize("changed", [{"lost_records": 1}, {"lost_heads": 1}, {"witnessed": {}}])
def test_a_proposal_of_something_else_is_refused(
    witnessed: WitnessedHead, loss: LogLoss, changed: dict[str, Any]
) -> None:
    """Past the service, with the number of records that both believe."""
    details = {**loss.details, "reason": REASON, **changed}
    record_decision(Entry("LOG_GAP_PROPOSED", loss.subject, details), at=NOW, actor=GIULIA)
    proposal = AuditRecord.objects.get(action="LOG_GAP_PROPOSED")
    record_decision(confirmation_of(proposal), at=NOW, actor=LORENZO)

    assert log_gap_proposals(loss) == []
    assert_refused(witnessed)


@pytest.mark.parametrize("person", ["proposer", "confirmer"])
def test_somebody_without_a_proven_role_is_refused(
    witnessed: WitnessedHead, loss: LogLoss, person: str
) -> None:
    """The worker refuses the signature, whatever groups say."""
    by, confirmer = (MARTA, LORENZO) if person == "proposer" else (GIULIA, MARTA)
    details = {**loss.details, "reason": REASON}
    sign_past_services(Entry("LOG_GAP_PROPOSED", loss.subject, details), at=NOW, actor=by)
    proposal = AuditRecord.objects.get(action="LOG_GAP_PROPOSED")
    sign_past_services(confirmation_of(proposal), at=NOW, actor=confirmer)

    assert_refused(witnessed)


@pytest.mark.parametrize("roles", [("supervisor",), ("payments",), ("auditor",), ()])
def test_a_role_that_was_taken_away_counts_no_more(
    witnessed: WitnessedHead, loss: LogLoss, roles: tuple[str, ...]
) -> None:
    """The last decision about the person before they signed."""
    give_role(GIULIA, *roles, at=NOW - timedelta(days=1))

    with pytest.raises(NotEntitled):
        propose(loss)


def test_somebody_without_a_proven_role_cannot_confirm(loss: LogLoss) -> None:
    """Refused by the service, too."""
    proposal = propose(loss)

    with pytest.raises(NotEntitled):
        confirm_log_gap(proposal=proposal.id, at=NOW, actor=MARTA)


def test_an_administrator_does_not_propose(loss: LogLoss) -> None:
    """Who gives access only confirms."""
    with pytest.raises(NotEntitled):
        propose(loss, by=LORENZO)


def revoked(actor: Actor, *, at: datetime) -> None:
    """The person left; another revoked the key."""
    key = SigningKey.objects.get(person_name=actor.name)
    revoke_key(key_id=key.id, note="has left", at=at, actor=ANOTHER)


@pytest.mark.parametrize("leaver", [GIULIA, LORENZO], ids=["proposer", "confirmer"])
def test_a_key_that_was_revoked_meanwhile_is_refused(
    witnessed: WitnessedHead, loss: LogLoss, leaver: Actor
) -> None:
    """The signature states an earlier time; the log cannot tell yet which came first."""
    ANOTHER.signer.approve()  # type: ignore[union-attr]  # a FirstKey
    declare(loss)
    revoked(leaver, at=NOW + timedelta(minutes=1))

    assert_refused(witnessed)


def test_a_declaration_of_an_earlier_loss_is_refused(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """The log is continued once by it; a second loss takes another one."""
    declare(loss)
    again = lose(5, witnessed=append_signed(witnessed=witnessed))

    with pytest.raises(LogBehind):
        append_to_log(KEY, now=NOW, witnessed=again)


def test_a_loss_that_the_web_role_invents_is_ignored(witnessed: WitnessedHead) -> None:
    """No key of the log signed its head."""
    stored = signed_head_of(TreeHead.objects.latest("sequence"))
    forged = LogLoss(stored, witnessed._replace(signature=b"s" * 64))
    with as_web():
        record_entry(
            Entry("LOG_LOSS_FOUND", forged.subject, forged.details),
            at=NOW,
            actor=Actor("audit log"),
        )

    with pytest.raises(NothingLost):
        propose(forged)
    assert append_to_log(KEY, now=NOW) is not None


def test_a_reason_is_needed(loss: LogLoss) -> None:
    """In words."""
    with pytest.raises(ReasonRequired):
        propose(loss, reason=" ")


def test_a_proposal_is_not_written_without_a_signature(loss: LogLoss) -> None:
    """Nothing is recorded."""
    with pytest.raises(SignatureRequired):
        propose_log_gap(
            subject=loss.subject,
            reason=REASON,
            at=NOW,
            actor=Actor(GIULIA.name, GIULIA.user_id),
        )

    assert log_gap_proposals(loss) == []


def test_a_confirmation_is_not_written_without_a_signature(loss: LogLoss) -> None:
    """Nothing is recorded."""
    proposal = propose(loss)

    with pytest.raises(SignatureRequired):
        confirm_log_gap(proposal=proposal.id, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))

    assert not AuditRecord.objects.filter(action="LOG_GAP_CONFIRMED").exists()


def test_what_is_no_proposal_is_not_confirmed(loss: LogLoss) -> None:
    """Another record, or one that nobody signed."""
    with pytest.raises(NothingLost, match="no proposal"):
        confirm_log_gap(proposal=loss_id(loss), at=NOW, actor=LORENZO)
    with as_web():
        entry = Entry("LOG_GAP_PROPOSED", loss.subject, {**loss.details, "reason": REASON})
        key = record_entry(entry, at=NOW, actor=Actor(GIULIA.name, GIULIA.user_id))
    with pytest.raises(NothingLost, match="no signed proposal"):
        confirm_log_gap(proposal=key, at=NOW, actor=LORENZO)
