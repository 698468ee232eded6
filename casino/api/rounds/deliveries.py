"""Deliveries of rounds: one document, a stream, or a job for the workers."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import datetime
from typing import IO, Any, Final
from uuid import uuid4

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.problems import FieldError, Problem
from casino.integrations.models import ApiKey
from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from rounds.arrival import Arrival, configured_limits
from rounds.documents import Document, read_documents, restrict_to_tables
from rounds.models.upload import FeedUpload
from rounds.services.ingest import ingest_sorted
from rounds.signatures.signature import Signature
from rounds.uploads.document_answers import answers_of, to_ndjson
from rounds.uploads.upload_feed import (
    CHUNK_BYTES,
    Delivery,
    FeedEmpty,
    FeedTooLarge,
    FeedUnreadable,
    upload_feed,
)

_IN_MEMORY: Final = 1 << 20


def take_document(
    content: bytes, *, signature: Signature | None, key: ApiKey, at: datetime, actor: Actor
) -> dict[str, Any] | None:
    """Stores one document in the current transaction; None if the body is blank."""
    batch = next(read_documents([content]), [])
    if not batch:
        return None
    [answer] = _take(batch, signature=signature, key=key, at=at, actor=actor)
    return answer


def take_stream(
    lines: Iterable[bytes],
    *,
    signature: Signature | None,
    key: ApiKey,
    actor: Actor,
    now: Callable[[], datetime],
    after_batch: Callable[[], None],
) -> IO[bytes]:
    """Stores a stream in batches, each in its own transaction; returns the results by line.

    The results are buffered, on disk if they are large, until the stream ends: answering earlier
    would deadlock with a client that sends everything before it reads.
    """
    answers = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  the answer closes it
    with ExitStack() as on_error:
        on_error.callback(answers.close)
        for batch in read_documents(lines):
            results = _take_with_retry(batch, signature=signature, key=key, now=now, actor=actor)
            answers.write(to_ndjson(results))
            after_batch()
        answers.seek(0)
        on_error.pop_all()
    return answers


def _take_with_retry(
    batch: list[Document],
    *,
    signature: Signature | None,
    key: ApiKey,
    now: Callable[[], datetime],
    actor: Actor,
) -> list[dict[str, Any]]:
    return retry_on_conflict(
        lambda: _take(batch, signature=signature, key=key, at=now(), actor=actor)
    )


def _take(
    batch: list[Document],
    *,
    signature: Signature | None,
    key: ApiKey,
    at: datetime,
    actor: Actor,
) -> list[dict[str, Any]]:
    documents = restrict_to_tables(batch, key.tables)
    arrival = Arrival(at, configured_limits(), signature=signature)
    outcomes = ingest_sorted(documents, source=_source(key), at=at, actor=actor, arrival=arrival)
    return answers_of(outcomes)


def _source(key: ApiKey) -> str:
    """The source of a document: the same for all calls of a key, so that duplicates are found."""
    return f"API {key.handle}"


def buffer_body(pieces: Iterable[bytes], *digests: Any) -> IO[bytes]:
    """The body as a temporary file, added to the digests. Raises Problem if it is too large."""
    file, size = tempfile.TemporaryFile(), 0  # noqa: SIM115  the caller closes it
    with ExitStack() as on_error:
        on_error.callback(file.close)
        for piece in pieces:
            for digest in digests:
                digest.update(piece)
            size += len(piece)
            if size > settings.FEED_UPLOAD_BYTES:
                raise too_large()
            file.write(piece)
        file.seek(0)
        on_error.pop_all()
    return file


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a buffered body; two readers do not disturb each other."""
    offset = 0
    while piece := os.pread(file.fileno(), CHUNK_BYTES, offset):
        offset += len(piece)
        yield piece


def begin_job(
    file: IO[bytes],
    *,
    is_document: bool,
    signature: Signature | None,
    key: ApiKey,
    at: datetime,
    actor: Actor,
) -> FeedUpload:
    """Queues a feed for the workers, in the current transaction. Raises Problem.

    A single document becomes one line: each line feed becomes a carriage return, JSON white space.
    """
    delivery = Delivery(uuid4(), key.handle, key.tables)
    pieces = pieces_of(file)
    try:
        return upload_feed(
            pieces=(piece.replace(b"\n", b"\r") for piece in pieces) if is_document else pieces,
            name=_source(key),
            most_bytes=settings.FEED_UPLOAD_BYTES,
            at=at,
            actor=actor,
            delivery=delivery,
            signature=signature,
        )
    except FeedTooLarge:
        raise too_large() from None
    except FeedEmpty:
        raise empty_body() from None
    except FeedUnreadable:
        error = FieldError("", "1f 8b …", _("a complete gzip file"))
        raise Problem(problems.MALFORMED, errors=[error]) from None


def empty_body() -> Problem:
    """The body contains no document."""
    error = FieldError("", "", _("a document of the feed, round/1 or shoe/1"))
    return Problem(problems.MALFORMED, errors=[error])


def too_large() -> Problem:
    """The body exceeds the size of a job."""
    most = filesizeformat(settings.FEED_UPLOAD_BYTES)
    error = FieldError("", None, _("at most %(most)s uncompressed") % {"most": most})
    return Problem(problems.TOO_LARGE, errors=[error])


def digest_of(line: str) -> Any:
    """The digest of a call without its body."""
    return hashlib.sha256(line.encode())
