"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.retention.models import LegalHold, LegalHoldLift
from compliance.signatures.verify_rows import SignedRow
from compliance.trail.actor import Actor


def signed_rows() -> Iterator[SignedRow]:
    """Legal holds, and their liftings."""
    yield from map(row_of_hold, LegalHold.objects.order_by("pk"))
    yield from map(row_of_lift, LegalHoldLift.objects.select_related("hold").order_by("pk"))


def row_of_hold(hold: LegalHold) -> SignedRow:
    """What the person who placed the hold must have signed."""
    return SignedRow(hold.entry, hold.placed_at, Actor(hold.actor, hold.actor_user_id))


def row_of_lift(lift: LegalHoldLift) -> SignedRow:
    """What the person who lifted the hold must have signed."""
    return SignedRow(lift.entry, lift.lifted_at, Actor(lift.actor, lift.actor_user_id))
