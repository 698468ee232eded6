"""Verifies stored signatures again, from the studio's keys down to the digests of the rounds.

Nothing is believed because it is a row: the signature must be that of the text, the text must hold
the digest of the content, and the content must hold every round that refers to it.
"""

import zlib
from collections.abc import Callable, Iterable
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from compliance.trail.actor import Actor, is_same_person
from rounds import feed
from rounds.models import (
    EarlierTable,
    Round,
    SignatureRequirement,
    SignedBatch,
    SignedChunk,
    StudioKey,
    StudioKeyStep,
    Table,
)
from rounds.rules import facts
from rounds.rules.anomalies import UNSIGNED_SOURCE
from rounds.signatures.received_by_log import received_by_log
from rounds.signatures.requirements import is_required
from rounds.signatures.store_signature import stored_content
from rounds.signatures.verify_batch import KeyWithSteps, signature_faults, signed_lines

Report = Callable[[str], None]

_AT_ONCE: Final = 500


def verify_signatures(report: Report) -> str:
    """Reports every key, batch and round whose signature does not hold; returns a summary."""
    keys = _verify_keys(report)
    batches = 0
    stored = SignedBatch.objects.order_by("pk").iterator(chunk_size=_AT_ONCE)
    for batches, batch in enumerate(stored, start=1):  # noqa: B007  counted
        if key := keys.get(batch.key_id):
            _verify_batch(batch, key, report)
        else:
            report(f"signed batch {batch}: there is no such studio key")
    _verify_references(report)
    _verify_requirements(report)
    return f"{batches:,} signed batches of {len(keys):,} studio keys"


def _verify_keys(report: Report) -> dict[int, KeyWithSteps]:
    keys = {key.pk: KeyWithSteps(key) for key in StudioKey.objects.prefetch_related("steps")}
    for key in keys.values():
        if fault := key.fault():
            report(f"studio key {key.row.key_id}: {fault}")
    return keys


def _verify_batch(batch: SignedBatch, key: KeyWithSteps, report: Report) -> None:
    try:
        content = stored_content(batch)
        faults = [*signature_faults(batch, key.row, content)]
        digests = _digests_in(signed_lines(batch, content))
    except (ValueError, zlib.error, EOFError, OSError) as error:
        faults, digests = [str(error)], {}
    if fault := key.batch_fault(batch) or _expiry_fault(batch, key.row):
        faults.append(fault)
    for fault in faults:
        report(f"signed batch {batch}: {fault}")
    rows = Round.objects.filter(signed_batch=batch).values_list(
        "reference", "digest", "table__code"
    )
    for reference, digest, table in rows.iterator(chunk_size=_AT_ONCE):
        if digests.get(reference) != bytes(digest):
            report(f"round {reference}: signed batch {batch} does not contain it as it is stored")
        if table not in key.row.tables:
            report(f"round {reference}: the key of signed batch {batch} is not one of {table}")


def _expiry_fault(batch: SignedBatch, key: StudioKey) -> str | None:
    """Why the key had expired when the log received the first round of the batch."""
    now = timezone.now()
    rounds = Round.objects.filter(signed_batch=batch).order_by("arrival")
    first = None if now < key.valid_until else rounds.values_list("reference", flat=True).first()
    if first is None or received_by_log(first, at=now) < key.valid_until:
        return None
    return f"its key had expired when the log received round {first}"


def _digests_in(lines: Iterable[bytes]) -> dict[str, bytes]:
    """The content digest of every round that a batch contains, by its id."""
    digests: dict[str, bytes] = {}
    for line in lines:
        try:
            parsed = feed.parse_line(line)
        except feed.FeedError:
            continue
        if isinstance(parsed, facts.Round):
            digests.setdefault(parsed.round, feed.content_digest(parsed))
    return digests


def _verify_references(report: Report) -> None:
    stored = SignedBatch.objects.filter(pk=OuterRef("signed_batch_id"))
    rows = Round.objects.filter(signed_batch__isnull=False).exclude(Exists(stored))
    for reference, batch_id in rows.values_list("reference", "signed_batch_id"):
        report(f"round {reference}: there is no signed batch S-{batch_id}")
    chunks = SignedChunk.objects.exclude(
        Exists(SignedBatch.objects.filter(pk=OuterRef("batch_id")))
    )
    for batch_id, number in chunks.values_list("batch_id", "number"):
        report(f"part {number} of signed batch S-{batch_id}: there is no such batch")


def _verify_requirements(report: Report) -> None:
    """Rounds that arrived while their table required signatures are signed or were held."""
    chains: dict[int, list[SignatureRequirement]] = {}
    for step in SignatureRequirement.objects.order_by("table_id", "sequence"):
        chains.setdefault(step.table_id, []).append(step)
    earlier = set(EarlierTable.objects.values_list("pk", flat=True))
    for table in Table.objects.order_by("pk"):
        chain = chains.get(table.pk, [])
        for before, step in zip([None, *chain], chain, strict=False):
            if step.action == SignatureRequirement.Action.ALLOWED and (
                before is None or _is_same(step, before)
            ):
                report(f"table {table.code}: {step.actor} alone allowed unsigned rounds")
        for first, after in zip([None, *chain], [*chain, None], strict=True):
            if is_required(first) if first else table.pk not in earlier:
                _verify_period(table, first, after, report)


def _verify_period(
    table: Table,
    first: SignatureRequirement | None,
    after: SignatureRequirement | None,
    report: Report,
) -> None:
    """Reports rounds that arrived between two steps and are neither signed nor held."""
    rows = Round.objects.filter(table=table, signed_batch=None)
    if first is not None:
        rows = rows.filter(arrival__gt=first.since_arrival)
    if after is not None:
        rows = rows.filter(arrival__lt=after.since_arrival)
    unheld = rows.exclude(arrival_anomalies__contains=[UNSIGNED_SOURCE])
    for reference in unheld.order_by("id").values_list("reference", flat=True):
        report(
            f"round {reference}: table {table.code} requires signatures;"
            " it is neither signed nor held"
        )


def _is_same(
    one: StudioKeyStep | SignatureRequirement, other: StudioKey | SignatureRequirement
) -> bool:
    return is_same_person(other.actor, other.actor_user_id, Actor(one.actor, one.actor_user_id))
