"""Verifying an archive: every byte of it, and that it is the one that was recorded."""

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import duckdb

from compliance.archive.archive_list import (
    LIST_NAME,
    SIGNATURE_NAME,
    ArchivedFile,
    ArchiveList,
    BadList,
    TableEntry,
)
from compliance.archive.log_hashes import faults_of_log
from compliance.archive.parquet import contents_of, open_duckdb
from compliance.archive.recorded_archives import RecordedArchive
from compliance.exports.verify_bundle import Wrong, verify_signature

LARGEST_LIST: Final = 64 << 20
"""Bytes of a list or signature that are read."""


class BadArchive(Exception):
    """The archive is not the one that was recorded. The text has a line for each fault."""


def read_list(folder: Path, recorded: RecordedArchive, keys: Collection[str]) -> ArchiveList:
    """The list of an archive, once it is known to be the signed and recorded one.

    ``keys`` are the SHA-256 of the operator's certificates. Raises BadArchive.
    """
    archive = recorded_list(folder, recorded)
    _require_signature(folder, archive, keys)
    return archive


def recorded_list(folder: Path, recorded: RecordedArchive) -> ArchiveList:
    """The list of an archive, once it has the SHA-256 that is recorded. Raises BadArchive."""
    if faults := list(_faults_of_list(folder, recorded)):
        raise BadArchive("\n".join(faults))
    try:
        archive = ArchiveList.from_bytes((folder / LIST_NAME).read_bytes())
    except BadList as error:
        raise BadArchive(str(error)) from None
    if archive.name != recorded.name:
        raise BadArchive(f"month, number: found {archive.name}; needed {recorded.name}")
    return archive


def verify_archive(folder: Path, recorded: RecordedArchive, keys: Collection[str]) -> ArchiveList:
    """Verifies the list, then every file of the archive; returns the list.

    Missing, additional and renamed files are faults, as are links and folders. Raises BadArchive
    with all faults; signature and rows are verified once there is no other.
    """
    archive = recorded_list(folder, recorded)
    faults = file_faults(folder, archive)
    if not faults:
        _require_signature(folder, archive, keys)
        faults += _faults_of_contents(folder, archive)
    if faults:
        raise BadArchive("\n".join(faults))
    return archive


def file_faults(folder: Path, archive: ArchiveList) -> list[str]:
    """What differs from the list: names, sizes and digests of the files, a line for each."""
    return [*_faults_of_names(folder, archive), *_faults_of_files(folder, archive)]


def require_file(folder: Path, file: ArchivedFile) -> Path:
    """The path of a file whose bytes are those of the list. Raises BadArchive."""
    if fault := _fault_of_file(folder, file):
        raise BadArchive(fault)
    return folder / file.name


def _require_signature(folder: Path, archive: ArchiveList, keys: Collection[str]) -> None:
    if archive.key_id not in keys:
        raise BadArchive(
            f"key_id: found {archive.key_id}; needed one of the operator's certificates"
        )
    content, signature = [(folder / name).read_bytes() for name in (LIST_NAME, SIGNATURE_NAME)]
    try:
        verify_signature(content, signature, archive.key_id)
    except Wrong as error:
        raise BadArchive(f"{SIGNATURE_NAME}: {error}") from None


def _faults_of_list(folder: Path, recorded: RecordedArchive) -> Iterator[str]:
    if not folder.is_dir():
        yield f"{folder.name}: found no folder; needed the archive that was recorded"
        return
    digests = {LIST_NAME: recorded.list_sha256, SIGNATURE_NAME: recorded.signature_sha256}
    for name, needed in digests.items():
        path = folder / name
        if path.is_symlink() or not path.is_file():
            yield f"{name}: found no such file; needed the one that was recorded"
        elif path.stat().st_size > LARGEST_LIST:
            yield f"{name}: found {path.stat().st_size} bytes; needed at most {LARGEST_LIST}"
        elif (found := hashlib.sha256(path.read_bytes()).hexdigest()) != needed:
            yield f"{name}: found SHA-256 {found}; needed {needed}, as it was recorded"


def _faults_of_names(folder: Path, archive: ArchiveList) -> Iterator[str]:
    listed = {LIST_NAME, SIGNATURE_NAME, *(file.name for file in archive.files)}
    present = {path.name for path in folder.iterdir()}
    for name in sorted(listed - present):
        yield f"{name}: found no such file; needed the one that is listed"
    for name in sorted(present - listed):
        yield f"{name}: found a file that is not listed; needed none"


def _faults_of_files(folder: Path, archive: ArchiveList) -> Iterator[str]:
    for file in archive.files:
        if (folder / file.name).exists() and (fault := _fault_of_file(folder, file)):
            yield fault


def _fault_of_file(folder: Path, file: ArchivedFile) -> str:
    path = folder / file.name
    if path.is_symlink() or not path.is_file():
        return f"{file.name}: found no regular file; needed the one that is listed"
    if (size := path.stat().st_size) != file.bytes:
        return f"{file.name}: found {size} bytes; needed {file.bytes}"
    with path.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    return (
        "" if found == file.sha256 else f"{file.name}: found SHA-256 {found}; needed {file.sha256}"
    )


def _faults_of_contents(folder: Path, archive: ArchiveList) -> Iterator[str]:
    """The rows, keys and columns of every file against the list."""
    with open_duckdb() as duck:
        for table in archive.tables:
            for file in table.files:
                if fault := _fault_of_contents(duck, folder, table, file):
                    yield f"{file.name}: {fault}"
            if (found := sum([file.rows for file in table.files])) != table.rows:
                yield f"{table.name}: found {found} rows; needed {table.rows}"
        yield from faults_of_log(duck, folder, archive)


def _fault_of_contents(
    duck: duckdb.DuckDBPyConnection, folder: Path, table: TableEntry, file: ArchivedFile
) -> str:
    try:
        found = contents_of(duck, folder / file.name, table.key[0], table.columns)
    except (duckdb.Error, ValueError) as error:
        return str(error)
    needed = (file.rows, file.first_key, file.last_key)
    return "" if found == needed else f"rows and keys: found {tuple(found)}; needed {needed}"
