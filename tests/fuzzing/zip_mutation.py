"""Mutation of ZIP archives: checksums and compression hide their parts from bytewise changes."""

import io
import random
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import Final

_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_CENTRAL: Final = b"PK\x01\x02"


class ZipMutation:
    """Changes one part of an archive, its name, its compression, or a field of its directory."""

    def __init__(
        self,
        bits: Sequence[bytes] = (),
        mutate_part: Callable[[bytes, random.Random], bytes] | None = None,
    ) -> None:
        """``bits`` are put into parts; ``mutate_part`` changes one in the terms of its format."""
        self._bits = (b"", *bits)
        self._mutate_part = mutate_part

    def __call__(self, data: bytes, rng: random.Random) -> bytes:
        """The archive with a change; the same bytes if it is none."""
        if rng.random() < 0.25 and (at := data.find(_CENTRAL)) >= 0:
            return _with_changed_directory(data, at, rng)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                parts = [(name, packed.read(name)) for name in packed.namelist()]
        except Exception:
            return data
        return _packed(self._changed(parts, rng), rng) if parts else data

    def _changed(
        self, parts: list[tuple[str, bytes]], rng: random.Random
    ) -> list[tuple[str, bytes]]:
        number = rng.randrange(len(parts))
        name, content = parts[number]
        match rng.randrange(12):
            case 0:
                del parts[number]
            case 1:
                parts.insert(number, rng.choice(parts))
            case 2:
                parts[number] = (rng.choice((rng.choice(parts)[0], f"{name}\n", "../x")), content)
            case 3 | 4 | 5 if self._mutate_part is not None:
                parts[number] = (name, self._mutate_part(content, rng))
            case _:
                parts[number] = (name, self._spliced(content, rng))
        return parts

    def _spliced(self, content: bytes, rng: random.Random) -> bytes:
        changed = bytearray(content)
        for _change in range(rng.randrange(1, 4)):
            start = rng.randrange(len(changed) + 1)
            other = rng.randrange(len(changed) + 1)
            new = rng.choice((bytes(changed[other : other + 9]), rng.choice(self._bits)))
            changed[start : start + rng.randrange(12)] = new
        return bytes(changed)


def _packed(parts: list[tuple[str, bytes]], rng: random.Random) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as packed:
        warnings.simplefilter("ignore")  # a name twice is meant
        for name, content in parts:
            method = rng.choice(_METHODS) if rng.random() < 0.1 else zipfile.ZIP_DEFLATED
            packed.writestr(name, content, compress_type=method)
    return file.getvalue()


def _with_changed_directory(data: bytes, at: int, rng: random.Random) -> bytes:
    """Another value in one of the fields of the directory: sizes, flags, method, offset."""
    changed = bytearray(data)
    place = at + 4 + 2 * rng.randrange(21)
    struct.pack_into("<H", changed, min(place, len(changed) - 2), rng.choice((0, 1, 14, 99, 65535)))
    return bytes(changed)
