"""Declared gaps of the log: lost records that two persons declared lost, and how it goes on.

The witnessed head is stored again, and further records follow its last leaf: proofs of what is
left, of what follows, and from the witnessed head to later ones need none of the lost leaves.
"""

from typing import Final, NamedTuple, Protocol

from compliance.storage.app_declarations import declarations
from compliance.trail.batches import batch_of
from compliance.trail.encoding import datetime_of
from compliance.trail.log.log_losses import LogLoss
from compliance.trail.log.lost_leaves import peaks_of
from compliance.trail.log.stored_heads import signed_head_of, store_head
from compliance.trail.models import AuditRecord, LogGap, LoggedBatch, TreeHead

GAP_PROPOSED: Final = "LOG_GAP_PROPOSED"
GAP_CONFIRMED: Final = "LOG_GAP_CONFIRMED"


class NotDeclared(Exception):
    """Two persons have not declared the loss, or not so that it counts."""


class Declaration(NamedTuple):
    """Two audit records that two persons signed."""

    proposal: AuditRecord
    confirmation: AuditRecord


class DeclarationVerifier(Protocol):
    """Verifies both signatures, that they are of this loss, and that both persons may decide it.

    ``is_new`` refuses keys that were revoked since. Raises NotDeclared.
    """

    def __call__(self, loss: LogLoss, declaration: Declaration, *, is_new: bool) -> None:
        """Raises NotDeclared."""


class DeclaredGap(NamedTuple):
    """A gap with its declaration."""

    loss: LogLoss
    declaration: Declaration

    def __str__(self) -> str:
        stored, witnessed = self.loss.stored.head, self.loss.witnessed.head
        proposal, confirmation = self.declaration
        return (
            f"{heads_of(stored.sequence, witnessed.sequence)} lost: {self.loss.records:,} records"
            f" from {datetime_of(stored.at):%Y-%m-%d %H:%M:%S} to"
            f" {datetime_of(witnessed.at):%Y-%m-%d %H:%M:%S} UTC, declared by {proposal.actor} and"
            f" {confirmation.actor}: {proposal.details.get('reason')}"
        )


def heads_of(after: int, last: int) -> str:
    """The lost heads in words."""
    return f"head {last}" if last == after + 1 else f"heads {after + 1} to {last}"


def declaration_of(loss: LogLoss) -> Declaration:
    """The declaration of a loss by two persons. Raises NotDeclared."""
    reason = "found no declaration of two persons"
    records = AuditRecord.objects.filter(subject=loss.subject)
    proposals = {str(record.id): record for record in records.filter(action=GAP_PROPOSED)}
    for confirmation in records.filter(action=GAP_CONFIRMED).order_by("id"):
        proposal = proposals.get(str(confirmation.details.get("proposal")))
        if proposal is None:
            continue
        declaration = Declaration(proposal, confirmation)
        try:
            verify_declaration(loss, declaration, is_new=True)
        except NotDeclared as error:
            reason = str(error)
            continue
        return declaration
    raise NotDeclared(reason)


def verify_declaration(loss: LogLoss, declaration: Declaration, *, is_new: bool) -> None:
    """Verifies it as a ``DeclarationVerifier`` of an application above. Raises NotDeclared."""
    verifiers = [verify for _name, verify in declarations("log_gap_verifiers", "VERIFY")]
    if not verifiers:
        raise NotDeclared("found nothing that verifies declarations")
    for verify in verifiers:
        verify(loss, declaration, is_new=is_new)


def store_gap(loss: LogLoss, declaration: Declaration) -> None:
    """Stores the gap, and the witnessed head again, in the current transaction."""
    head, signature, peaks = loss.witnessed
    LogGap.objects.create(
        sequence=head.sequence,
        after=loss.stored.head.sequence,
        peaks=b"".join(peaks),
        proposal_id=declaration.proposal.id,
        confirmation_id=declaration.confirmation.id,
    )
    store_head(head, signature, batch_count=0)


def declared_gap(gap: LogGap) -> DeclaredGap:
    """The gap of this row, verified. Raises NotDeclared."""
    heads = TreeHead.objects.in_bulk([gap.after, gap.sequence])
    if heads.keys() != {gap.after, gap.sequence}:
        raise NotDeclared("found no head before or after it")
    witnessed = signed_head_of(heads[gap.sequence])._replace(peaks=peaks_of(gap))
    loss = LogLoss(signed_head_of(heads[gap.after]), witnessed)
    records = AuditRecord.objects.in_bulk([gap.proposal_id, gap.confirmation_id])
    if records.keys() != {gap.proposal_id, gap.confirmation_id}:
        raise NotDeclared("found no records of its declaration")
    declaration = Declaration(records[gap.proposal_id], records[gap.confirmation_id])
    places = LoggedBatch.objects.in_bulk([batch_of(record) for record in records])
    if {place.head_id for place in places.values()} != {gap.sequence + 1}:
        raise NotDeclared(f"found its declaration outside of head {gap.sequence + 1}")
    verify_declaration(loss, declaration, is_new=False)
    return DeclaredGap(loss, declaration)
