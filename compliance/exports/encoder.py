"""Where the wire of ADM's protocol for remote games (PGDA) is to be connected.

What the registers hold is what the protocol speaks of: session start (message 400), participation
right bought (420), end of participation, session end, stages played, daily alignment. How these
are numbered beyond that and written on the wire is told in a document that only a concessionaire
has, so nothing of it is guessed here: whoever has the document writes an encoder of this form.

    class OurEncoder:
        name = "pgda-2.1"
        def files(self, snapshot, registers): ...

An encoder reads rows of the registers through ``Snapshot`` (``encoders.copying.ordered`` gives the
statement, in the register's order) and yields files; each goes into the bundle beside the others,
with its digest, size and count in the signed manifest.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot


class EncodedFile(NamedTuple):
    """One file of the wire format."""

    name: str
    """Its path in the bundle, below ``wire/``."""
    blocks: Iterable[bytes]
    """Its content; made while it is written, so that it may be of any length."""


class WireEncoder(Protocol):
    """A wire format of the registers."""

    name: str
    """What the manifest calls the format, with its version."""

    def files(self, snapshot: Snapshot, registers: Sequence[Register], /) -> Iterator[EncodedFile]:
        """The files of the day, in a fixed order, the same bytes for the same snapshot."""
        ...
