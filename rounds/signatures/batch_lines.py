"""The signature file of a feed: one JSON Web Signature per batch of lines.

Each payload names the number of its lines and the SHA-256 of their exact bytes, and chains to the
line before it, so that a stream that was cut is verifiable up to its last complete batch, and no
batch can be changed, left out or moved.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rounds.documents import BATCH_BYTES, BATCH_DOCUMENTS
from rounds.feed.exceptions import shorten
from rounds.feed.times import InvalidTime, format_time, parse_time
from rounds.models import SignedBatch
from rounds.row_mapping import milliseconds_of
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.public_keys import is_signed
from rounds.signatures.signature import Signature
from rounds.signatures.studio_keys import KeyWithStatus
from rounds.signatures.web_signature import WebSignature, parse_web_signature, sign_payload

FEED: Final = "batch/1"
SUFFIX: Final = ".sig"
"""Of the file of signatures beside a feed."""
MOST_LINES: Final = 1_000
MOST_BYTES: Final = 32 << 20
"""Of a batch of more than one line."""
_FIELDS: Final = {"feed", "number", "lines", "sha256", "previous", "created"}
_SHA256: Final = re.compile("[0-9a-f]{64}")

FindKey = Callable[[str], KeyWithStatus | None]
"""The registered key with an id."""


class Place(NamedTuple):
    """A place in the chain: the next number, and the digest of the signature line before it."""

    number: int = 1
    previous: str | None = None

    def after(self, line: bytes) -> "Place":
        """The place behind a signature line."""
        return Place(self.number + 1, hashlib.sha256(line).hexdigest())


class BatchSigner:
    """Signs the lines of a feed in batches of at most 500 lines or about 4 MiB."""

    def __init__(self, key: Ed25519PrivateKey, *, now: Callable[[], datetime]) -> None:
        self._key, self._now = key, now
        self._place, self._digest, self._lines, self._size = Place(), hashlib.sha256(), 0, 0

    def add(self, line: bytes) -> str | None:
        """Adds a line with its line feed; the signature line, if it completes a batch."""
        self._digest.update(line)
        self._lines, self._size = self._lines + 1, self._size + len(line)
        is_full = self._lines >= BATCH_DOCUMENTS or self._size >= BATCH_BYTES
        return self.finish() if is_full else None

    def finish(self) -> str | None:
        """The signature line of the lines since the last; None if there are none."""
        if not self._lines:
            return None
        payload = {
            "feed": FEED,
            "number": self._place.number,
            "lines": self._lines,
            "sha256": self._digest.hexdigest(),
            "previous": self._place.previous,
            "created": format_time(milliseconds_of(self._now())),
        }
        text = sign_payload(payload, self._key)
        self._place = self._place.after(text.encode("ascii"))
        self._digest, self._lines, self._size = hashlib.sha256(), 0, 0
        return text


class BatchOfLines(NamedTuple):
    """Consecutive lines of a feed, with the signature over them."""

    lines: Sequence[bytes]
    signature: Signature


class SignedLines:
    """The lines of a feed, batch by batch, as far as they are signed.

    The first batch whose signature is invalid ends the iteration; ``fault`` says why, and ``rest``
    are the lines from there on, which count as unsigned.
    """

    def __init__(
        self,
        lines: Iterable[bytes],
        signatures: Iterable[bytes],
        *,
        find_key: FindKey,
        latest: datetime,
        place: Place | None = None,
    ) -> None:
        self._lines: Iterator[bytes] = iter(lines)
        self._signatures = signatures
        self._find_key, self._latest = find_key, latest
        self.place = Place() if place is None else place
        self.rest: Iterator[bytes] = self._lines
        self.fault: InvalidSignature | None = None

    def __iter__(self) -> Iterator[BatchOfLines]:
        for text in self._signatures:
            line = text.strip()
            if not line:
                continue
            taken: list[bytes] = []
            try:
                batch = self._read(line, taken)
            except InvalidSignature as error:
                field = f"signature {self.place.number}: {error.field}"
                self.fault = InvalidSignature(field, error.found, error.needed)
                self.rest = _chained(taken, self._lines)
                return
            self.place = self.place.after(line)
            yield batch

    def _read(self, line: bytes, taken: list[bytes]) -> BatchOfLines:
        signed = parse_web_signature(line)
        count = checked_payload(signed, self.place, latest=self._latest)
        known = self._find_key(signed.key_id)
        if known is None:
            raise InvalidSignature("header.kid", shorten(signed.key_id), "a registered key")
        if not is_signed(bytes(known.key.public_key), signed.signature, signed.signed_text):
            raise InvalidSignature("signature", "another text or key", "that of this text")
        size = 0
        for content in islice(self._lines, count):
            taken.append(content)
            size += len(content)
            if size > MOST_BYTES and count > 1:
                needed = f"at most {MOST_BYTES} bytes in a batch of more than one line"
                raise InvalidSignature("payload.lines", f"more than {MOST_BYTES} bytes", needed)
        digest = hashlib.sha256()
        for content in taken:
            digest.update(content)
        if len(taken) != count or digest.hexdigest() != signed.payload["sha256"]:
            found = f"{len(taken)} lines with SHA-256 {digest.hexdigest()}"
            needed = f"{count} lines with SHA-256 {signed.payload['sha256']}"
            raise InvalidSignature("lines", found, needed)
        if not known.counts:
            raise InvalidSignature("header.kid", f"a key: {known.status.value}", "a valid key")
        signature = Signature(
            known.key,
            SignedBatch.Form.LINES,
            signed.signed_text,
            signed.signature,
            digest.digest(),
            lambda: [b"".join(taken)],
        )
        return BatchOfLines(taken, signature)


def checked_payload(signed: WebSignature, place: Place, *, latest: datetime) -> int:
    """The number of lines that a payload covers. Raises InvalidSignature."""
    payload = signed.payload
    if payload.keys() != _FIELDS or payload["feed"] != FEED:
        raise InvalidSignature("payload", shorten(payload), ", ".join(sorted(_FIELDS)))
    if type(payload["number"]) is not int or payload["number"] != place.number:
        raise InvalidSignature("payload.number", shorten(payload["number"]), str(place.number))
    if payload["previous"] != place.previous:
        needed = f"{place.previous}, the digest of the signature line before"
        raise InvalidSignature("payload.previous", shorten(payload["previous"]), needed)
    count, digest = payload["lines"], payload["sha256"]
    if type(count) is not int or not 1 <= count <= MOST_LINES:
        raise InvalidSignature("payload.lines", shorten(count), f"1 to {MOST_LINES}")
    if type(digest) is not str or _SHA256.fullmatch(digest) is None:
        raise InvalidSignature("payload.sha256", shorten(digest), "64 lower-case hex digits")
    try:
        created = parse_time(payload["created"])
    except (InvalidTime, TypeError):
        created = None
    if created is None or created > milliseconds_of(latest):
        needed = f"a time in UTC, at most {format_time(milliseconds_of(latest))}"
        raise InvalidSignature("payload.created", shorten(payload["created"]), needed)
    return count


def _chained(taken: list[bytes], rest: Iterator[bytes]) -> Iterator[bytes]:
    yield from taken
    yield from rest
