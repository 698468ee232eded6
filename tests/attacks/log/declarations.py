"""Declarations of lost records past the services, and what becomes of them."""

from typing import Any

import pytest

from compliance.trail.log import log_gaps as gaps_of_log
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_losses import LogBehind, LogLoss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import AuditRecord, LogGap
from compliance.trail.record import Entry
from tests.compliance.trail.logs import KEY, NOW, append_signed, faults


def assert_refused(witnessed: WitnessedHead) -> None:
    """The worker does not continue the log."""
    with pytest.raises(LogBehind):
        append_to_log(KEY, now=NOW, witnessed=witnessed)
    assert not LogGap.objects.exists()


def gap_faults() -> list[str]:
    """What the verification says about gaps."""
    return [fault.found or "" for fault in faults() if str(fault.kind) == "gap"]


def confirmation_of(proposal: AuditRecord, **changed: Any) -> Entry:
    """The confirmation of a proposal, as a record."""
    details = {**proposal.details, "proposal": str(proposal.id), "proposed_by": proposal.actor}
    return Entry("LOG_GAP_CONFIRMED", proposal.subject, {**details, **changed})


def continue_with(
    witnessed: WitnessedHead, loss: LogLoss, proposal: AuditRecord, confirmation: AuditRecord
) -> None:
    """As a worker that verifies nothing continues the log."""
    gaps_of_log.store_gap(loss, gaps_of_log.Declaration(proposal, confirmation))
    append_signed(witnessed=witnessed)


def loss_id(loss: LogLoss) -> Any:
    """The record of the loss."""
    return AuditRecord.objects.get(subject=loss.subject).pk
