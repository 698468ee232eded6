"""Gaps of the log that two persons did not declare so: ``verify_trail`` names them."""

import pytest
from django.db import DatabaseError, transaction

from compliance.signatures.sign_decision import record_decision
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.log import log_gaps as gaps_of_log
from compliance.trail.log.log_losses import LogLoss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import AuditRecord, LogGap
from compliance.trail.record import Entry
from tests.attacks.forgeries import as_role
from tests.attacks.log.declarations import confirmation_of, continue_with, gap_faults, loss_id
from tests.compliance.trail.logs import NOW, append_signed, faults, tamper, write
from tests.compliance.trail.lost_logs import (
    REASON,
    declare,
    propose,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("action", ["LOG_GAP_CONFIRMED", "LOG_KEY_APPROVED"])
def test_another_decision_is_no_proposal(
    witnessed: WitnessedHead, loss: LogLoss, action: str
) -> None:
    """A row of a gap that names it is named."""
    details = {**loss.details, "reason": REASON}
    record_decision(Entry(action, loss.subject, details), at=NOW, actor=GIULIA)
    signed = AuditRecord.objects.get(action=action)
    record_decision(confirmation_of(signed), at=NOW, actor=LORENZO)
    confirmation = AuditRecord.objects.filter(action="LOG_GAP_CONFIRMED").latest("id")

    continue_with(witnessed, loss, signed, confirmation)

    assert "found another record than a proposal" in gap_faults()


def test_another_decision_is_no_confirmation(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """As above."""
    proposal = propose(loss)
    entry = confirmation_of(proposal)._replace(action="LOG_KEY_APPROVED")
    record_decision(entry, at=NOW, actor=LORENZO)

    continue_with(witnessed, loss, proposal, AuditRecord.objects.get(action="LOG_KEY_APPROVED"))

    assert "found another record than a confirmation" in gap_faults()


def test_a_declaration_that_was_signed_later_is_named(
    witnessed: WitnessedHead, loss: LogLoss
) -> None:
    """A worker continued the log first, and two persons signed then."""
    proposal = propose(loss)
    record_decision(confirmation_of(proposal), at=NOW, actor=LORENZO)
    confirmation = AuditRecord.objects.get(action="LOG_GAP_CONFIRMED")
    write(1)
    batches = AuditRecord.objects.filter(pk__in=[proposal.pk, confirmation.pk])
    tamper(
        "DELETE FROM trail_pendingbatch WHERE batch_id = ANY(%s)",
        [record.pk for record in batches],
    )
    continue_with(witnessed, loss, proposal, confirmation)
    tamper("INSERT INTO trail_pendingbatch SELECT unnest(%s)", [record.pk for record in batches])
    append_signed()

    assert "found its declaration outside of head 4" in gap_faults()


@pytest.mark.parametrize("column", ["proposal_id", "confirmation_id"])
def test_a_gap_without_records_is_named(
    witnessed: WitnessedHead, loss: LogLoss, column: str
) -> None:
    """The owner of the tables takes the records out, or names others."""
    declare(loss)
    append_signed(witnessed=witnessed)
    tamper(f"UPDATE trail_loggap SET {column} = gen_random_uuid()")

    assert gap_faults() == ["found no records of its declaration"]


def test_a_wider_gap_is_named(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """An administrator of the database takes a further head out and widens the row."""
    declare(loss)
    append_signed(witnessed=witnessed)
    tamper("UPDATE trail_loggap SET after = 0")

    assert any("no head before" in fault for fault in gap_faults())


def test_a_gap_that_is_taken_out_is_named(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """By the owner of the tables: heads are missing then."""
    declare(loss)
    append_signed(witnessed=witnessed)
    tamper("DELETE FROM trail_loggap")

    assert "head_missing" in {str(fault.kind) for fault in faults()}


@pytest.mark.parametrize(
    "peaks",
    [b"", b"p" * 32, b"p" * 33],
)
def test_peaks_of_another_tree_are_named(
    witnessed: WitnessedHead, loss: LogLoss, peaks: bytes
) -> None:
    """They do not give the root of the head that was signed."""
    declare(loss)
    append_signed(witnessed=witnessed)
    tamper("UPDATE trail_loggap SET peaks = %s", peaks)

    assert any("peaks" in fault for fault in gap_faults())


@pytest.mark.parametrize("role", [role for role in DatabaseRole if role != DatabaseRole.WORKER])
def test_no_role_but_the_worker_stores_a_gap(
    witnessed: WitnessedHead, loss: LogLoss, role: DatabaseRole
) -> None:
    """Refused by the database."""
    key = loss_id(loss)
    with (
        as_role(role),
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
    ):
        LogGap.objects.create(sequence=3, after=1, peaks=b"", proposal_id=key, confirmation_id=key)


def test_a_gap_by_the_worker_role_is_named(witnessed: WitnessedHead, loss: LogLoss) -> None:
    """Without the declaration, a worker host that was taken over continues the log."""
    proposal = propose(loss)
    with as_role(DatabaseRole.WORKER):
        gaps_of_log.store_gap(loss, gaps_of_log.Declaration(proposal, proposal))
        append_signed(witnessed=witnessed)

    assert gap_faults() == ["found another record than a confirmation"]
