"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.signatures.verify_rows import SignedRow, signed_row
from compliance.trail.actor import Actor
from rounds.models import (
    SignatureRequirement,
    StakeLimitSet,
    StudioKey,
    StudioKeyStep,
    TableSuspension,
)


def signed_rows() -> Iterator[SignedRow]:
    """Studio keys, and the signature settings, stake limits and suspensions of tables."""
    yield from map(row_of_key, StudioKey.objects.order_by("pk"))
    steps = StudioKeyStep.objects.select_related("key").order_by("pk")
    requirements = SignatureRequirement.objects.select_related("table").order_by("pk")
    yield from map(signed_row, steps)
    yield from map(signed_row, requirements)
    limits = StakeLimitSet.objects.select_related("table", "replaces").order_by("pk")
    suspensions = TableSuspension.objects.select_related("table").order_by("pk")
    yield from map(signed_row, suspensions)
    yield from map(signed_row, limits.prefetch_related("limits", "replaces__limits"))


def row_of_key(key: StudioKey) -> SignedRow:
    """The row of a key, which states its proposal."""
    return SignedRow(key.entry, key.proposed_at, Actor(key.actor, key.actor_user_id))
