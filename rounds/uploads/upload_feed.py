"""Storage of an uploaded feed file, for workers to ingest."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models.intake import LONGEST_SOURCE
from rounds.models.upload import FeedChunk, FeedSignatures, FeedUpload
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import store_signature

CHUNK_BYTES: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31
FAST: Final = 1
_DIGITS: Final = 12
_LONGEST_NAME: Final = LONGEST_SOURCE - len(" ") - _DIGITS


class Delivery(NamedTuple):
    """A feed sent by a program: the job's id, the key, the key's tables (empty for all)."""

    id: UUID
    sender: str
    tables: Sequence[str]


class FeedNotStored(Exception):
    """The file was rejected; nothing was written."""


class FeedEmpty(FeedNotStored):
    """The file is empty."""


class FeedTooLarge(FeedNotStored):
    """The file, decompressed, exceeds the limit."""


class FeedUnreadable(FeedNotStored):
    """The file begins like gzip and cannot be decompressed."""


def upload_feed(
    *,
    pieces: Iterable[bytes],
    name: str,
    most_bytes: int,
    at: datetime,
    actor: Actor,
    delivery: Delivery | None = None,
    signature: Signature | None = None,
    signatures: bytes = b"",
) -> FeedUpload:
    """Stores and records a file, decompressed if it is gzip. Raises FeedNotStored.

    With a ``delivery``, the answers to its documents are stored too. ``signature`` is that of the
    request, ``signatures`` a file of signatures of its lines. The caller wakes the workers after
    the commit.
    """
    digest, size = hashlib.sha256(), 0
    with transaction.atomic():
        upload = FeedUpload.objects.create(
            name=name[-_LONGEST_NAME:],
            size=0,
            digest=b"",
            uploaded_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
            tables=[] if delivery is None else list(delivery.tables),
            delivery=None if delivery is None else delivery.id,
            sender="" if delivery is None else delivery.sender,
        )
        for number, chunk in enumerate(_chunks(_unpacked(pieces))):
            digest.update(chunk)
            size += len(chunk)
            if size > most_bytes:
                raise FeedTooLarge
            content = zlib.compress(chunk, FAST)
            FeedChunk.objects.create(upload=upload, number=number, content=content)
        if not size:
            raise FeedEmpty
        upload.size, upload.digest = size, digest.digest()
        upload.source = f"{upload.name} {digest.hexdigest()[:_DIGITS]}"
        if signature is not None:
            upload.signed_batch = store_signature(signature, source=upload.source, at=at)
        if signatures:
            FeedSignatures.objects.create(upload=upload, content=zlib.compress(signatures, FAST))
        upload.save(update_fields=["size", "digest", "source", "signed_batch"])
        details = {"name": upload.name, "bytes": size, "digest": digest.hexdigest()}
        uploaded = Entry("FEED_UPLOADED", f"feed:{upload.source}", details)
        record_entries([uploaded], at=at, actor=actor)
    return upload


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a file, decompressed if it is gzip, which may have several members."""
    stream = iter(pieces)
    first = b""
    for piece in stream:
        first += piece
        if len(first) >= len(_GZIP):
            break
    if not first.startswith(_GZIP):
        yield first
        yield from stream
        return
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    for piece in chain([first], stream):
        packed = piece
        while packed:
            if unpacker.eof:
                unpacker = zlib.decompressobj(_GZIP_WINDOW)
            try:
                yield unpacker.decompress(packed, CHUNK_BYTES)
            except zlib.error as error:
                raise FeedUnreadable from error
            packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    if not unpacker.eof:
        raise FeedUnreadable


def _chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in chunks of one size; the last may be shorter."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        while len(buffer) >= CHUNK_BYTES:
            yield bytes(buffer[:CHUNK_BYTES])
            del buffer[:CHUNK_BYTES]
    if buffer:
        yield bytes(buffer)
