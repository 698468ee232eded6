"""Storage of a signature with the bytes that it covers."""

import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from compliance.storage.copy_rows import copy_rows
from rounds.models import SignedBatch, SignedChunk
from rounds.signatures.signature import Signature
from rounds.signatures.studio_keys import registered_key

_CHUNK_BYTES: Final = 1 << 20
_FAST: Final = 1


def store_signature(signature: Signature, *, source: str, at: datetime) -> SignedBatch:
    """Stores a signature once; a repeated delivery refers to the first row."""
    stored = SignedBatch.objects.filter(signature=signature.signature).first()
    if stored is not None:
        return stored
    batch = SignedBatch.objects.create(
        key=signature.key,
        form=signature.form,
        signed_text=signature.signed_text,
        signature=signature.signature,
        content_digest=signature.content_digest,
        source=source,
        received_at=at,
    )
    copy_rows(
        SignedChunk,
        ("batch_id", "number", "content"),
        (
            (batch.pk, number, zlib.compress(chunk, _FAST))
            for number, chunk in enumerate(_chunks(signature.content()))
        ),
    )
    return batch


def restored_signature(batch: SignedBatch, *, at: datetime) -> Signature | None:
    """The signature of a stored batch; None if its key no longer counts."""
    known = registered_key(batch.key.key_id, at=at)
    if known is None or not known.counts:
        return None
    return Signature(
        known.key,
        SignedBatch.Form(batch.form),
        bytes(batch.signed_text),
        bytes(batch.signature),
        bytes(batch.content_digest),
        lambda: [stored_content(batch)],
    )


def stored_content(batch: SignedBatch) -> bytes:
    """The bytes that the signature covers. Raises ValueError if they cannot be read."""
    chunks = SignedChunk.objects.filter(batch=batch).order_by("number")
    pieces = []
    try:
        for place, (number, content) in enumerate(chunks.values_list("number", "content")):
            if number != place:
                raise ValueError(f"found part {number} of the content; needed part {place}")
            pieces.append(_decompressed(bytes(content)))
    except zlib.error as error:
        raise ValueError(f"its content cannot be decompressed: {error}") from error
    return b"".join(pieces)


def _decompressed(content: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    piece = unpacker.decompress(content)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("its content is cut, or goes on behind its end")
    return piece


def _chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for first in range(0, len(piece), _CHUNK_BYTES):
            yield piece[first : first + _CHUNK_BYTES]
