"""Ingesting uploaded feeds, batch by batch, by whichever worker is free.

A batch is one transaction: its documents, and how far the file has come. A worker that is killed
leaves the file where its last batch ended, and another goes on from there. One file is read by one
worker at a time, in its order, because shoes are followed from round to round.
"""

import logging
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from django.db import InterfaceError, OperationalError, transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import FeedAnswers, FeedChunk, FeedUpload
from payouts.services.answers import answers_of, as_lines
from payouts.services.collisions import again_after_collision
from payouts.services.upload_feed import CHUNK_BYTES, FAST
from rounds.documents import Document, read_documents, within_tables
from rounds.services.ingest import Tally, take_documents, tally_of

_log = logging.getLogger(__name__)


class FeedIncomplete(Exception):
    """A file of which a piece is missing; what came before it is stored."""


def ingest_uploads(
    *, now: Callable[[], datetime], after_batch: Callable[[], None], is_over: Callable[[], bool]
) -> bool:
    """Works on the files that are not finished, oldest first; False when ``is_over`` ended it.

    A file whose ingest fails keeps its error and does not hold back the others; the failure is
    raised at the end, so that it is seen.
    """
    failure: Exception | None = None
    unfinished = FeedUpload.objects.filter(finished_at=None).order_by("pk")
    for upload_id in unfinished.values_list("pk", flat=True):
        try:
            while ingest_batch(upload_id, now=now):
                after_batch()
                if is_over():
                    return False
        except (OperationalError, InterfaceError):
            raise  # the database is away: no file's fault
        except Exception as error:  # noqa: BLE001  kept with the file, and raised at the end
            _log.exception("The ingest of upload %d failed", upload_id)
            told = f"{type(error).__name__}: {error}".replace("\0", "\N{REPLACEMENT CHARACTER}")
            FeedUpload.objects.filter(pk=upload_id).update(last_error=told)
            failure = error
    if failure is not None:
        raise failure
    return True


def ingest_batch(upload_id: int, *, now: Callable[[], datetime]) -> bool:
    """Stores the next documents of a file; False where none are left or a worker has it in hand."""
    return again_after_collision(lambda: _ingest_batch(upload_id, at=now()))


def _ingest_batch(upload_id: int, *, at: datetime) -> bool:
    unfinished = FeedUpload.objects.filter(finished_at=None)
    upload = unfinished.select_for_update(skip_locked=True).filter(pk=upload_id).first()
    if upload is None:
        return False
    lines = _Lines(upload)
    batch = next(read_documents(lines, first=upload.lines + 1), [])
    if not batch and lines.offset != upload.size:
        raise FeedIncomplete(f"found {lines.offset} bytes of {upload.source}, needed {upload.size}")
    actor = Actor(upload.actor, upload.actor_user_id)
    tally = _take(upload, batch, at=at, actor=actor) if batch else Tally()
    for name in Tally._fields:
        setattr(upload, name, getattr(upload, name) + getattr(tally, name))
    upload.begun_at = upload.begun_at or at
    upload.offset, upload.lines, upload.last_error = lines.offset, lines.number, ""
    if upload.offset == upload.size:
        _finish(upload, at=at, actor=actor)
    upload.save()
    return upload.finished_at is None


def _take(upload: FeedUpload, batch: list[Document], *, at: datetime, actor: Actor) -> Tally:
    documents = within_tables(batch, upload.tables)
    found = take_documents(documents, source=upload.source, at=at, actor=actor)
    if upload.delivery is not None:
        content = zlib.compress(as_lines(answers_of(found)), FAST)
        FeedAnswers.objects.create(upload=upload, line=upload.lines + 1, content=content)
    return tally_of(found)


def _finish(upload: FeedUpload, *, at: datetime, actor: Actor) -> None:
    """Lets go of the content, which by now is stored document by document."""
    with transaction.atomic():
        upload.finished_at = at
        FeedChunk.objects.filter(upload=upload).delete()
        figures = {name: getattr(upload, name) for name in ("lines", *Tally._fields)}
        ingested = Entry("FEED_INGESTED", f"feed:{upload.source}", figures)
        record_entries([ingested], at=at, actor=actor)


class _Lines:
    """The lines of a file from where it was left; tells how far it has been read."""

    def __init__(self, upload: FeedUpload) -> None:
        self.offset, self.number = upload.offset, upload.lines
        self._upload_id: Final = upload.pk

    def __iter__(self) -> Iterator[bytes]:
        """Each with its end, as a file gives them: only a line feed ends a line."""
        begun: list[bytes] = []
        for chunk in self._chunks():
            *ended, rest = chunk.split(b"\n")
            for end in ended:
                yield self._told(b"".join((*begun, end, b"\n")))
                begun = []
            begun.append(rest)
        if last := b"".join(begun):
            yield self._told(last)

    def _told(self, line: bytes) -> bytes:
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
