"""Ingestion of a feed with its file of signatures: as far as it is signed, then unsigned."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from compliance.trail.actor import Actor
from rounds.arrival import DEFAULT_LIMITS, Arrival, ArrivalLimits
from rounds.documents import read_documents
from rounds.services.ingest import Tally, ingest_documents
from rounds.signatures.batch_lines import SignedLines
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.signature import Signature
from rounds.signatures.studio_keys import registered_key


class SignedTally(NamedTuple):
    """Counts of a feed, how many of its lines were signed, and why the others were not."""

    tally: Tally
    signed_lines: int
    fault: InvalidSignature | None


def ingest_with_signatures(
    lines: Iterable[bytes],
    signatures: Iterable[bytes],
    *,
    source: str,
    now: Callable[[], datetime],
    actor: Actor,
    limits: ArrivalLimits = DEFAULT_LIMITS,
    after_batch: Callable[[int], None] = lambda _size: None,
) -> SignedTally:
    """Ingests a feed batch by batch; each batch is one transaction, or several if it is large.

    ``after_batch`` is called with the number of bytes of each.
    """
    tally, done = Tally(), 0

    def ingest(content: Iterable[bytes], signature: Signature | None) -> None:
        nonlocal tally
        for documents in read_documents(content, first=done + 1):
            at = now()
            arrival = Arrival(at, limits, signature=signature)
            tally = tally.plus(
                ingest_documents(documents, source=source, at=at, actor=actor, arrival=arrival)
            )
            after_batch(sum(len(document.content) for document in documents))

    batches = SignedLines(
        lines,
        signatures,
        find_key=lambda key_id: registered_key(key_id, at=now()),
        latest=now() + limits.max_skew,
    )
    for batch in batches:
        ingest(batch.lines, batch.signature)
        done += len(batch.lines)
    ingest(batches.rest, None)
    return SignedTally(tally, done, batches.fault)
