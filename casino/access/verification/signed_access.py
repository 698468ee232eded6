"""Signed requests and decisions about access, as their rows state them."""

from datetime import datetime, timedelta
from typing import Final

from casino.access.models import AccessDecision, AccessRequest
from compliance.signatures.verify_rows import SignedRow
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry

_AN_INSTANT: Final = timedelta(minutes=1)


def row_of_request(row: AccessRequest) -> SignedRow:
    """What the requester must have signed."""
    return _signed_by(row.requested_by_id, row.entry, row.requested_at, request=row.pk)


def row_of_decision(row: AccessDecision) -> SignedRow:
    """What the decider must have signed."""
    return _signed_by(row.decided_by_id, row.entry, row.decided_at, request=row.request_id)


def _signed_by(account: int, entry: Entry, at: datetime, *, request: int) -> SignedRow:
    """The row, with the name that the person had then: rows of access refer to accounts.

    Before these decisions were signed, records were written an instant after their rows and named
    the number of the request.
    """
    near = AuditRecord.objects.filter(
        action=entry.action,
        subject=entry.subject,
        actor_user_id=account,
        at__gte=at,
        at__lt=at + _AN_INSTANT,
    )
    for record in near.order_by("at"):
        if record.at == at or record.details.get("request") == request:
            return SignedRow(entry, record.at, Actor(record.actor, account))
    return SignedRow(entry, at, Actor(f"account {account}", account))
