"""Verifies the studio's signature of a few rounds again, as ``verify_signatures`` does of all."""

from collections import defaultdict
from collections.abc import Callable, Collection
from uuid import UUID

from rounds.feed import content_digest
from rounds.models import Round
from rounds.signatures.verified_batches import UnsignedBatch, verify_batch


def verify_rounds(round_ids: Collection[UUID], report: Callable[[str], None]) -> None:
    """Reports those of these rounds that are not stored as their signed batch has them.

    What the log has of the batch to which a round belongs is compared by reconciliation.
    """
    signed = Round.objects.filter(pk__in=round_ids, signed_batch__isnull=False).order_by("id")
    rows = signed.values_list("signed_batch_id", "reference", "digest", "table__code")
    batches: defaultdict[int, list[tuple[str, bytes, str]]] = defaultdict(list)
    for batch_id, reference, digest, table in rows:
        batches[batch_id or 0].append((reference, bytes(digest), table))
    for batch_id, members in batches.items():
        try:
            batch = verify_batch(batch_id)
        except UnsignedBatch:
            first = members[0][0]
            report(
                f"round {first}: found signed batch S-{batch_id} without a valid signature; needed"
                " that of its studio, by a key that two persons approved"
            )
            continue
        for reference, digest, table in members:
            dealt = batch.round(reference)
            if dealt is None or content_digest(dealt) != digest:
                report(
                    f"round {reference}: signed batch S-{batch_id} does not contain it as it is"
                    " stored"
                )
            if table not in batch.tables:
                report(
                    f"round {reference}: the key of signed batch S-{batch_id} is not one of {table}"
                )
