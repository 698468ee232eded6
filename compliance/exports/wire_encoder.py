"""Interface for an encoder of ADM's protocol for remote games (PGDA).

The registers contain the data of the protocol: session start (message 400), participation right
bought (420), end of participation, session end, stages played, daily alignment. The wire format is
specified in a document that only concessionaires have. Its holder implements an encoder:

    class OurEncoder:
        name = "pgda-2.1"
        def files(self, snapshot, registers): ...

An encoder reads rows of the registers through ``Snapshot`` (``encoders.copy_stream.ordered``
returns the statement in the register's order) and yields files. Each file is added to the bundle,
with digest and size in the signed manifest.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot


class EncodedFile(NamedTuple):
    """One file of the wire format."""

    name: str
    """Path in the bundle, below ``wire/``."""
    blocks: Iterable[bytes]
    """Content, generated while it is written; of any length."""


class WireEncoder(Protocol):
    """A wire format of the registers."""

    name: str
    """Name of the format in the manifest, with its version."""

    def files(self, snapshot: Snapshot, registers: Sequence[Register], /) -> Iterator[EncodedFile]:
        """The files of the day in a fixed order; deterministic for a snapshot."""
        ...
