"""The leaves of a sum tree in the file of a bundle, read from any place."""

import struct
import zipfile
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from compliance.exports.bundle.stored_file import path_of
from compliance.exports.models import Bundle
from compliance.exports.sum_trees.merkle_sum_tree import NODE

_LOCAL_HEADER: Final = struct.Struct("<26xHH")
"""The lengths of name and extra field, which a local header of a ZIP ends with."""
_COMMITMENT: Final = 32


class LeafFile:
    """The records of all leaves, in ascending order of their commitments."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        with zipfile.ZipFile(file) as archive:
            entry = archive.getinfo(name)
        if entry.compress_type != zipfile.ZIP_STORED:
            raise zipfile.BadZipFile(f"found {name} compressed; needed it as it is")
        file.seek(entry.header_offset)
        lengths = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
        self._file = file
        self._begin = entry.header_offset + _LOCAL_HEADER.size + sum(lengths)
        self._count = entry.file_size // NODE.size

    def records(self, first: int, most: int) -> list[bytes]:
        """The records from a place on, ``most`` of them at most."""
        count = min(most, self._count - first)
        self._file.seek(self._begin + first * NODE.size)
        content = self._file.read(count * NODE.size)
        return [content[at : at + NODE.size] for at in range(0, len(content), NODE.size)]

    def place_of(self, commitment: bytes) -> int | None:
        """The place of a leaf; None if there is no leaf with this commitment."""
        place = bisect_left(range(self._count), commitment, key=self._commitment_at)
        is_there = place < self._count and self._commitment_at(place) == commitment
        return place if is_there else None

    def _commitment_at(self, place: int) -> bytes:
        [record] = self.records(place, 1)
        return record[:_COMMITMENT]


@contextmanager
def open_leaves(bundle: Bundle, game: str) -> Iterator[LeafFile]:
    """The leaves of a game in the file of a bundle. Raises OSError, KeyError and BadZipFile."""
    with path_of(bundle).open("rb") as file:
        yield LeafFile(file, f"totals/{game}.leaves")
