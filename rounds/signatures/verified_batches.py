"""Stored batches whose signature a worker verified, once in its process.

Rounds of a batch are settled together, and its rows are append-only: what was valid stays valid.
"""

import re
import zlib
from collections.abc import Iterable
from typing import Final

from rounds import feed
from rounds.models import SignedBatch, StudioKey
from rounds.rules import facts
from rounds.signatures.decided_by_persons import is_approved_by_two
from rounds.signatures.store_signature import stored_content
from rounds.signatures.verify_batch import KeyWithSteps, signature_faults, signed_lines

_MOST_KEPT: Final = 64 << 20
"""Octets of verified batches that a process keeps."""
_ID: Final = re.compile(rb'"round"\s*:\s*"([A-Za-z0-9._:-]{1,64})"')
_UNREADABLE: Final = (ValueError, zlib.error, EOFError, OSError)


class UnsignedBatch(Exception):
    """A stored batch is not what a studio signed with a key of two persons."""


class VerifiedBatch:
    """The documents of a batch whose signature was verified."""

    def __init__(self, key: StudioKey, lines: Iterable[bytes]) -> None:
        self.tables = frozenset(key.tables)
        self.valid_until = key.valid_until
        self.size = 0
        self._lines: dict[str | None, list[bytes]] = {}
        """By the id of the round; by None where it cannot be read without parsing."""
        for line in lines:
            self.size += len(line)
            match = _ID.search(line)
            self._lines.setdefault(match[1].decode() if match else None, []).append(line)

    def names(self, reference: str) -> bool:
        """Whether a document names the round with this id; a quick check of what is trusted."""
        return reference in self._lines or self.round(reference) is not None

    def round(self, reference: str) -> facts.Round | None:
        """The first round with this id; None if there is none."""
        for line in (*self._lines.get(reference, ()), *self._lines.get(None, ())):
            parsed = _parsed(line)
            if parsed is not None and parsed.round == reference:
                return parsed
        return None


def _parsed(line: bytes) -> facts.Round | None:
    try:
        parsed = feed.parse_line(line)
    except feed.FeedError:
        return None
    return parsed if isinstance(parsed, facts.Round) else None


_kept: Final[dict[int, VerifiedBatch]] = {}


def verified_batch(batch_id: int) -> VerifiedBatch:
    """The batch with this id. Raises UnsignedBatch."""
    if batch_id not in _kept:
        _kept[batch_id] = verify_batch(batch_id)
        while len(_kept) > 1 and sum(batch.size for batch in _kept.values()) > _MOST_KEPT:
            del _kept[next(iter(_kept))]
    return _kept[batch_id]


def verify_batch(batch_id: int) -> VerifiedBatch:
    """The batch as it is stored now, verified down to the persons who approved its key.

    Raises UnsignedBatch.
    """
    rows = SignedBatch.objects.select_related("key").prefetch_related("key__steps")
    batch = rows.filter(pk=batch_id).first()
    if batch is None:
        raise UnsignedBatch
    key = KeyWithSteps(batch.key)
    if key.fault() or key.batch_fault(batch) or key.approval is None:
        raise UnsignedBatch
    if not is_approved_by_two(batch.key, key.approval):
        raise UnsignedBatch
    try:
        content = stored_content(batch)
        if any(signature_faults(batch, batch.key, content)):
            raise UnsignedBatch
        return VerifiedBatch(batch.key, signed_lines(batch, content))
    except _UNREADABLE as error:
        raise UnsignedBatch from error


def forget_verified_batches() -> None:
    """Verifies every batch again."""
    _kept.clear()
