"""Ingestion of uploaded feeds, batch by batch, by any worker.

A batch and the progress of its file are one transaction: another worker resumes after the last
batch of a killed one. One worker at a time reads a file, in order, because shoes are tracked from
round to round.
"""

import logging
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Final

from django.db import InterfaceError, OperationalError

from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from rounds.arrival import DEFAULT_LIMITS, Arrival, ArrivalLimits
from rounds.documents import Document, read_documents, restrict_to_tables
from rounds.models.upload import FeedAnswers, FeedChunk, FeedSignatures, FeedUpload
from rounds.services.ingest import Tally, ingest_sorted, tally_of
from rounds.signatures.batch_lines import Place, SignedLines
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import restored_signature
from rounds.signatures.studio_keys import registered_key
from rounds.uploads.document_answers import answers_of, to_ndjson
from rounds.uploads.finish_upload import finish_upload
from rounds.uploads.upload_feed import CHUNK_BYTES, FAST

_log = logging.getLogger(__name__)


class FeedIncomplete(Exception):
    """A chunk of the file is missing; the documents before it are stored."""


def ingest_uploads(
    *,
    now: Callable[[], datetime],
    after_batch: Callable[[], None],
    is_over: Callable[[], bool],
    limits: ArrivalLimits = DEFAULT_LIMITS,
) -> bool:
    """Ingests the unfinished files, oldest first; False if ``is_over`` stopped it.

    A failure is stored with its file, does not stop the other files, and is raised at the end.
    """
    failure: Exception | None = None
    unfinished = FeedUpload.objects.filter(finished_at=None).order_by("pk")
    for upload_id in unfinished.values_list("pk", flat=True):
        try:
            while ingest_batch(upload_id, now=now, limits=limits):
                after_batch()
                if is_over():
                    return False
        except (OperationalError, InterfaceError):
            raise  # the database is unreachable: not the file's fault
        except Exception as error:  # noqa: BLE001  stored with the file, and raised at the end
            _log.exception("The ingest of upload %d failed", upload_id)
            error_text = f"{type(error).__name__}: {error}".replace(
                "\0", "\N{REPLACEMENT CHARACTER}"
            )
            FeedUpload.objects.filter(pk=upload_id).update(last_error=error_text)
            failure = error
    if failure is not None:
        raise failure
    return True


def ingest_batch(
    upload_id: int, *, now: Callable[[], datetime], limits: ArrivalLimits = DEFAULT_LIMITS
) -> bool:
    """Ingests the next batch of a file; False if none is left or a worker has locked the file."""
    return retry_on_conflict(lambda: _ingest_batch(upload_id, at=now(), limits=limits))


def _ingest_batch(upload_id: int, *, at: datetime, limits: ArrivalLimits) -> bool:
    unfinished = FeedUpload.objects.filter(finished_at=None)
    upload = unfinished.select_for_update(skip_locked=True).filter(pk=upload_id).first()
    if upload is None:
        return False
    lines, batch, signature = _next_batch(upload, limits, at=at)
    actor = Actor(upload.actor, upload.actor_user_id)
    tally = Tally()
    if batch:
        tally = _ingest_documents(upload, batch, limits, signature=signature, at=at, actor=actor)
    for name in Tally._fields:
        setattr(upload, name, getattr(upload, name) + getattr(tally, name))
    upload.begun_at = upload.begun_at or at
    upload.offset, upload.lines, upload.last_error = lines.offset, lines.number, ""
    if upload.offset == upload.size:
        finish_upload(upload, action="FEED_INGESTED", at=at, actor=actor)
    upload.save()
    return upload.finished_at is None


def _next_batch(
    upload: FeedUpload, limits: ArrivalLimits, *, at: datetime
) -> tuple["_Lines", list[Document], Signature | None]:
    """The next documents with the studio's signature, if they have one."""
    lines, first = _Lines(upload), upload.lines + 1
    if not upload.signature_fault and (signatures := _signature_lines(upload)):
        done = upload.signed_batches
        signed = SignedLines(
            lines,
            signatures[done:],
            find_key=lambda key_id: registered_key(key_id, at=at),
            latest=at + limits.max_skew,
            place=Place(done).after(signatures[done - 1]) if done else None,
        )
        for taken in signed:
            upload.signed_batches += 1
            batches = read_documents(taken.lines, first=first)
            return lines, list(chain.from_iterable(batches)), taken.signature
        if signed.fault is not None:
            upload.signature_fault = str(signed.fault)
            lines = _Lines(upload)
    batch = next(read_documents(lines, first=first), [])
    if not batch and lines.offset != upload.size:
        raise FeedIncomplete(f"found {lines.offset} bytes of {upload.source}, needed {upload.size}")
    delivered = upload.signed_batch
    return lines, batch, None if delivered is None else restored_signature(delivered, at=at)


def _signature_lines(upload: FeedUpload) -> list[bytes]:
    row = FeedSignatures.objects.filter(upload=upload).first()
    content = b"" if row is None else zlib.decompress(row.content)
    return [line for line in map(bytes.strip, content.split(b"\n")) if line]


def _ingest_documents(
    upload: FeedUpload,
    batch: list[Document],
    limits: ArrivalLimits,
    *,
    signature: Signature | None,
    at: datetime,
    actor: Actor,
) -> Tally:
    """The time of arrival is that of the upload."""
    documents = restrict_to_tables(batch, upload.tables)
    arrival = Arrival(upload.uploaded_at, limits, is_by_hand=upload.is_by_hand, signature=signature)
    result = ingest_sorted(documents, source=upload.source, at=at, actor=actor, arrival=arrival)
    if upload.delivery is not None:
        content = zlib.compress(to_ndjson(answers_of(result)), FAST)
        FeedAnswers.objects.create(upload=upload, line=upload.lines + 1, content=content)
    return tally_of(result)


class _Lines:
    """The lines of a file from its last position; tracks the new position."""

    def __init__(self, upload: FeedUpload) -> None:
        self.offset, self.number = upload.offset, upload.lines
        self._upload_id: Final = upload.pk

    def __iter__(self) -> Iterator[bytes]:
        """Lines with their ends, as a file yields them; only a line feed ends a line."""
        begun: list[bytes] = []
        for chunk in self._chunks():
            *ended, rest = chunk.split(b"\n")
            for end in ended:
                yield self._counted(b"".join((*begun, end, b"\n")))
                begun = []
            begun.append(rest)
        if last := b"".join(begun):
            yield self._counted(last)

    def _counted(self, line: bytes) -> bytes:
        self.offset += len(line)
        self.number += 1
        return line

    def _chunks(self) -> Iterator[bytes]:
        number, skipped = divmod(self.offset, CHUNK_BYTES)
        while True:
            chunk = FeedChunk.objects.filter(upload_id=self._upload_id, number=number).first()
            if chunk is None:
                return
            yield zlib.decompress(chunk.content)[skipped:]
            number, skipped = number + 1, 0
