"""What a delivery of rounds does: one document, a stream of them, or a job for the workers."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import datetime
from typing import IO, Any, Final
from uuid import uuid4

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from compliance.trail.actor import Actor
from payouts.api import problems
from payouts.api.models import ApiKey
from payouts.api.problems import FieldError, Problem
from payouts.models import FeedUpload
from payouts.services.answers import answers_of, as_lines
from payouts.services.collisions import again_after_collision
from payouts.services.upload_feed import (
    CHUNK_BYTES,
    Delivery,
    FeedEmpty,
    FeedTooLarge,
    FeedUnreadable,
    upload_feed,
)
from rounds.documents import Document, read_documents, within_tables
from rounds.services.ingest import take_documents

_IN_MEMORY: Final = 1 << 20


def take_document(
    content: bytes, *, key: ApiKey, at: datetime, actor: Actor
) -> dict[str, Any] | None:
    """Takes one document, in the current transaction; None where the body is blank."""
    batch = next(read_documents([content]), [])
    if not batch:
        return None
    [answer] = _take(batch, key=key, at=at, actor=actor)
    return answer


def take_stream(
    lines: Iterable[bytes],
    *,
    key: ApiKey,
    actor: Actor,
    now: Callable[[], datetime],
    after_batch: Callable[[], None],
) -> IO[bytes]:
    """Takes a stream batch by batch, each committed by itself; gives the answers, by line.

    They are kept, on disk where they are many, until the stream has ended: a program that sends
    all before it reads anything would else wait for us, and we for it.
    """
    answers = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  the answer closes it
    with ExitStack() as unless_all_is_well:
        unless_all_is_well.callback(answers.close)
        for batch in read_documents(lines):
            found = _take_again(batch, key=key, now=now, actor=actor)
            answers.write(as_lines(found))
            after_batch()
        answers.seek(0)
        unless_all_is_well.pop_all()
    return answers


def _take_again(
    batch: list[Document], *, key: ApiKey, now: Callable[[], datetime], actor: Actor
) -> list[dict[str, Any]]:
    return again_after_collision(lambda: _take(batch, key=key, at=now(), actor=actor))


def _take(
    batch: list[Document], *, key: ApiKey, at: datetime, actor: Actor
) -> list[dict[str, Any]]:
    documents = within_tables(batch, key.tables)
    found = take_documents(documents, source=_source(key), at=at, actor=actor)
    return answers_of(found)


def _source(key: ApiKey) -> str:
    """What every document keeps. The same for all calls of a key: what it sends twice is one."""
    return f"API {key.handle}"


def keep_body(pieces: Iterable[bytes], digest: Any, *, is_document: bool) -> IO[bytes]:  # noqa: ANN401  hashlib's
    """The body as a file, adding it to the digest. Raises Problem where it is too large.

    One document becomes one line: what JSON takes for space stays space, and nothing else changes.
    """
    file, size = tempfile.TemporaryFile(), 0  # noqa: SIM115  whoever begins the job closes it
    with ExitStack() as unless_all_is_well:
        unless_all_is_well.callback(file.close)
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            if size > settings.FEED_UPLOAD_BYTES:
                raise _too_large()
            file.write(piece.replace(b"\n", b"\r") if is_document else piece)
        file.seek(0)
        unless_all_is_well.pop_all()
    return file


def begin_job(file: IO[bytes], *, key: ApiKey, at: datetime, actor: Actor) -> FeedUpload:
    """Keeps a feed for the workers, in the current transaction. Raises Problem."""
    delivery = Delivery(uuid4(), key.handle, key.tables)
    try:
        return upload_feed(
            pieces=iter(lambda: file.read(CHUNK_BYTES), b""),
            name=_source(key),
            most_bytes=settings.FEED_UPLOAD_BYTES,
            at=at,
            actor=actor,
            delivery=delivery,
        )
    except FeedTooLarge:
        raise _too_large() from None
    except FeedEmpty:
        raise blank() from None
    except FeedUnreadable:
        error = FieldError("", "1f 8b …", _("a gzip file that can be unpacked to its end"))
        raise Problem(problems.MALFORMED, errors=[error]) from None


def blank() -> Problem:
    """That there is no document."""
    error = FieldError("", "", _("a document of the feed, round/1 or shoe/1"))
    return Problem(problems.MALFORMED, errors=[error])


def _too_large() -> Problem:
    most = filesizeformat(settings.FEED_UPLOAD_BYTES)
    error = FieldError("", None, _("at most %(most)s, unpacked") % {"most": most})
    return Problem(problems.TOO_LARGE, errors=[error])


def digest_of(line: str) -> Any:  # noqa: ANN401  hashlib's
    """The beginning of the digest of a call, to which its body is added."""
    return hashlib.sha256(line.encode())
