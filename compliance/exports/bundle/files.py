"""What lies in a bundle's file: is it the one that was made, and what does it tell."""

import csv
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings

from compliance.exports.bundle.archive import SEAL_LENGTH
from compliance.exports.models import Bundle

_OF_ALL: Final = ("manifest.json", "manifest.json.p7s")
_SPOILT: Final = (OSError, ValueError, LookupError, RuntimeError, EOFError, zipfile.BadZipFile)
"""What reading a file raises that is not what it should be."""


class Opened(NamedTuple):
    """A bundle's file as it was found."""

    state: str
    """``fits``, ``missing`` or ``changed``."""
    manifest: Mapping[str, Any]
    """Empty unless the file fits."""


class Inside(NamedTuple):
    """A file in a bundle."""

    name: str
    size: int
    sha256: str
    rows: int | None
    """Of a register."""


class Register(NamedTuple):
    """A register of a bundle in its four forms, by what the manifest says."""

    key: str
    rows: int
    size: int
    first_at: str
    last_at: str
    money: list[tuple[str, int]]
    """Control totals, in cents."""


def path_of(bundle: Bundle) -> Path:
    """Where the file lies."""
    return Path(settings.EXPORTS_FOLDER) / bundle.path


def opened(bundle: Bundle) -> Opened:
    """Looks at the size and at the manifest, which is held to its digest on record.

    Every byte is looked at by ``verify_bundle.py``, and by nobody faster.
    """
    path = path_of(bundle)
    if not path.exists():
        return Opened("missing", {})
    try:
        content = read_file(bundle, "manifest.json")
        is_whole = path.stat().st_size == bundle.size
        if not is_whole or hashlib.sha256(content).digest() != bytes(bundle.manifest_digest):
            return Opened("changed", {})
        return Opened("fits", json.loads(content))
    except _SPOILT:
        return Opened("changed", {})


def seal_of(path: Path) -> str:
    """What a bundle's file ends with: the digest of all bytes before."""
    with path.open("rb") as file:
        file.seek(-SEAL_LENGTH, os.SEEK_END)
        return file.read().decode("ascii")


def read_file(bundle: Bundle, name: str) -> bytes:
    """One file of a bundle, small enough for the memory. Raises KeyError where there is none."""
    with zipfile.ZipFile(path_of(bundle)) as archive:
        return archive.read(name)


def files_in(bundle: Bundle, manifest: Mapping[str, Any]) -> list[Inside]:
    """Every file of a bundle by its manifest, which comes last with its signature."""
    named = [
        Inside(one["name"], one["size"], one["sha256"], one.get("rows"))
        for one in manifest.get("files", [])
    ]
    return [*named, *(_inside(bundle, name) for name in _OF_ALL)] if named else []


def _inside(bundle: Bundle, name: str) -> Inside:
    content = read_file(bundle, name)
    return Inside(name, len(content), hashlib.sha256(content).hexdigest(), None)


def registers_in(manifest: Mapping[str, Any]) -> list[Register]:
    """The registers of a manifest, each once, with the size of all its forms."""
    sizes: dict[str, int] = {}
    told: dict[str, Mapping[str, Any]] = {}
    for one in manifest.get("files", []):
        folder, _slash, name = one["name"].partition("/")
        if folder == "registers":
            key, _dot, form = name.partition(".")
            sizes[key] = sizes.get(key, 0) + one["size"]
            told |= {key: one} if form == "csv" else {}
    return [
        Register(
            key,
            one["rows"],
            sizes[key],
            one["first_at"] or "",
            one["last_at"] or "",
            list(one["totals_cents"].items()),
        )
        for key, one in told.items()
    ]


def first_rows(bundle: Bundle, register: str, *, most: int) -> tuple[list[str], list[list[str]]]:
    """Heading and first rows of a register. Raises KeyError where there is no such register."""
    with (
        zipfile.ZipFile(path_of(bundle)) as archive,
        archive.open(f"registers/{register}.csv") as file,
    ):
        lines = csv.reader(io.TextIOWrapper(file, "utf-8", newline=""), delimiter=";")
        return next(lines), list(islice(lines, most))
