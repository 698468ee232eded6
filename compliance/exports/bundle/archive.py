"""The file of a bundle: a deterministic ZIP with a seal.

The seal is the comment of the ZIP, its last 64 characters: SHA-256 over everything before them. It
detects damage to any byte. The signature proves the origin.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from compliance.exports.bundle.background_write import write_in_background

SEAL_LENGTH: Final = 64
_LEVEL: Final = 1
"""Six times as fast as the default of 6, and a tenth larger."""
_BLOCK: Final = 1 << 20


class Written(NamedTuple):
    """A file that was added."""

    name: str
    size: int
    digest: str


class Archive:
    """A bundle being written; sealed on exit without an error."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._zip.comment = b"0" * SEAL_LENGTH
        self._zip.close()
        if kind is None:
            _seal(self.path)

    def add(self, name: str, blocks: Iterable[bytes], *, compress: bool = True) -> Written:
        """Adds a file of any length."""
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_STORED
        digest = hashlib.sha256()
        # A name gets the compression of the ZIP, and the same fixed date as a ZipInfo.
        with self._zip.open(name if compress else info, "w", force_zip64=True) as file:
            size = write_in_background(file, blocks, digest)
        return Written(name, size, digest.hexdigest())


def blocks_of(path: Path) -> Iterator[bytes]:
    """A file in blocks."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _seal(path: Path) -> None:
    """Appends the digest of all preceding bytes, and flushes the file to disk."""
    digest = hashlib.sha256()
    left = path.stat().st_size - SEAL_LENGTH
    with path.open("r+b") as file:
        while left:
            block = file.read(min(_BLOCK, left))
            digest.update(block)
            left -= len(block)
        file.seek(-SEAL_LENGTH, os.SEEK_END)
        file.write(digest.hexdigest().encode())
        file.flush()
        os.fsync(file.fileno())
