"""The heads of the log that the database has."""

from compliance.trail.encoding import datetime_of, microseconds_of
from compliance.trail.log.signed_heads import Head, WitnessedHead
from compliance.trail.models import TreeHead


def last_head() -> Head | None:
    """The latest head; None before the first."""
    stored = last_signed_head()
    return None if stored is None else stored.head


def last_signed_head() -> WitnessedHead | None:
    """The latest head with its signature; None before the first."""
    stored = TreeHead.objects.order_by("-sequence").first()
    return None if stored is None else signed_head_of(stored)


def signed_head_of(stored: TreeHead) -> WitnessedHead:
    """A stored head with its signature."""
    return WitnessedHead(head_of(stored), bytes(stored.signature))


def head_of(stored: TreeHead) -> Head:
    """The signed content of a stored head."""
    root, chain = bytes(stored.root), bytes(stored.chain)
    at = microseconds_of(stored.at)
    return Head(stored.sequence, at, stored.size, root, chain, stored.key_id, stored.origin)


def store_head(head: Head, signature: bytes, *, batch_count: int) -> None:
    """Stores a signed head, in the current transaction."""
    TreeHead.objects.create(
        sequence=head.sequence,
        at=datetime_of(head.at),
        batch_count=batch_count,
        size=head.size,
        root=head.root,
        chain=head.chain,
        key_id=head.key_id,
        origin=head.origin,
        signature=signature,
    )
