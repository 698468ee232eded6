"""Reads and checks the stored file of a bundle."""

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

_MANIFEST_FILES: Final = ("manifest.json", "manifest.json.p7s")
_DAMAGED: Final = (OSError, ValueError, LookupError, RuntimeError, EOFError, zipfile.BadZipFile)
"""Exceptions raised when reading a damaged file."""


class BundleFile(NamedTuple):
    """The result of checking a bundle's file."""

    state: str
    """``fits``, ``missing`` or ``changed``."""
    manifest: Mapping[str, Any]
    """Empty unless the file fits."""


class ArchivedFile(NamedTuple):
    """A file in a bundle."""

    name: str
    size: int
    sha256: str
    rows: int | None
    """Row count of a register."""


class Register(NamedTuple):
    """A register of a bundle in its four formats, by the manifest."""

    key: str
    rows: int
    size: int
    first_at: str
    last_at: str
    money: list[tuple[str, int]]
    """Control totals in cents."""


def path_of(bundle: Bundle) -> Path:
    """The path of the file."""
    return Path(settings.EXPORTS_FOLDER) / bundle.path


def inspect_file(bundle: Bundle) -> BundleFile:
    """Checks the size of the file and the digest of its manifest.

    ``verify_bundle.py`` checks every byte.
    """
    path = path_of(bundle)
    if not path.exists():
        return BundleFile("missing", {})
    try:
        content = read_file(bundle, "manifest.json")
        is_whole = path.stat().st_size == bundle.size
        if not is_whole or hashlib.sha256(content).digest() != bytes(bundle.manifest_digest):
            return BundleFile("changed", {})
        return BundleFile("fits", json.loads(content))
    except _DAMAGED:
        return BundleFile("changed", {})


def seal_of(path: Path) -> str:
    """The seal of a bundle's file: the digest of all preceding bytes."""
    with path.open("rb") as file:
        file.seek(-SEAL_LENGTH, os.SEEK_END)
        return file.read().decode("ascii")


def read_file(bundle: Bundle, name: str) -> bytes:
    """The content of one file of a bundle. Raises KeyError for an unknown name."""
    with zipfile.ZipFile(path_of(bundle)) as archive:
        return archive.read(name)


def files_in(bundle: Bundle, manifest: Mapping[str, Any]) -> list[ArchivedFile]:
    """Every file of a bundle by its manifest; manifest and signature come last."""
    named = [
        ArchivedFile(entry["name"], entry["size"], entry["sha256"], entry.get("rows"))
        for entry in manifest.get("files", [])
    ]
    return [*named, *(_inside(bundle, name) for name in _MANIFEST_FILES)] if named else []


def _inside(bundle: Bundle, name: str) -> ArchivedFile:
    content = read_file(bundle, name)
    return ArchivedFile(name, len(content), hashlib.sha256(content).hexdigest(), None)


def registers_in(manifest: Mapping[str, Any]) -> list[Register]:
    """The registers of a manifest, with the total size of all formats."""
    sizes: dict[str, int] = {}
    csv_files: dict[str, Mapping[str, Any]] = {}
    for entry in manifest.get("files", []):
        folder, _slash, name = entry["name"].partition("/")
        if folder == "registers":
            key, _dot, form = name.partition(".")
            sizes[key] = sizes.get(key, 0) + entry["size"]
            csv_files |= {key: entry} if form == "csv" else {}
    return [
        Register(
            key,
            entry["rows"],
            sizes[key],
            entry["first_at"] or "",
            entry["last_at"] or "",
            list(entry["totals_cents"].items()),
        )
        for key, entry in csv_files.items()
    ]


def first_rows(bundle: Bundle, register: str, *, most: int) -> tuple[list[str], list[list[str]]]:
    """Heading and first rows of a register. Raises KeyError for an unknown register."""
    with (
        zipfile.ZipFile(path_of(bundle)) as archive,
        archive.open(f"registers/{register}.csv") as file,
    ):
        lines = csv.reader(io.TextIOWrapper(file, "utf-8", newline=""), delimiter=";")
        return next(lines), list(islice(lines, most))
