"""A verified signature of a studio over what arrived."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rounds.models import SignedBatch, StudioKey


class Signature(NamedTuple):
    """A signature verified with a studio key in force, and the bytes that it covers."""

    key: StudioKey
    form: SignedBatch.Form
    signed_text: bytes
    signature: bytes
    content_digest: bytes
    """SHA-256 of the content."""
    content: Callable[[], Iterable[bytes]]
    """Reads the content in pieces."""

    def covers(self, table: str) -> bool:
        """Whether the key may sign for a table."""
        return table in self.key.tables
