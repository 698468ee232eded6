"""Bringing an archive from the bucket to the folder of the archives.

Nothing is believed of the bucket: the list has to have the SHA-256 of its audit record, and each
file that of the list. The archive gets its name in the folder once all of it is there and on disk.
"""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from compliance.archive.object_storage.bucket import Bucket
from compliance.archive.object_storage.stored_files import (
    NeededObject,
    found_fault,
    list_and_signature,
    listed_objects,
    other_sha256,
)
from compliance.archive.parquet import sync
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import BadArchive, file_faults, recorded_list

UNFINISHED: Final = ".unfinished-fetch"
_PART: Final = ".part"


class FetchInProgress(Exception):
    """Another process fetches archives into the folder; nothing was changed."""


class Fetched(NamedTuple):
    """An archive that is in the folder."""

    fetched: int
    """Files that were not there before."""
    files: int
    """All of them, with list and signature."""


def fetch_archive(bucket: Bucket, recorded: RecordedArchive, *, folder: Path) -> Fetched:
    """Brings the archive to ``folder``, or what is still missing after a fetch that was killed.

    If the folder has it, its files are compared with the list, and nothing is read of the bucket.
    Raises BadArchive for objects, or files in the folder, that are not as recorded, FetchInProgress
    and BucketFailed.
    """
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    with _alone_in(folder):
        finished = recorded.folder(folder)
        if finished.exists():
            return _require_same(finished, recorded)
        work = folder / UNFINISHED / recorded.name
        work.mkdir(mode=0o750, parents=True, exist_ok=True)
        fetched = sum([_fetch(bucket, needed, work) for needed in list_and_signature(recorded)])
        archive = recorded_list(work, recorded)
        fetched += sum([_fetch(bucket, needed, work) for needed in listed_objects(archive)])
        if faults := file_faults(work, archive):
            raise BadArchive("\n".join(faults))
        sync(work)
        work.rename(finished)
        sync(folder)
        with suppress(OSError):  # another archive is unfinished there
            work.parent.rmdir()
        return Fetched(fetched, len(list(archive.files)) + 2)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Locks fetches into the folder on this host, until the process ends at the latest."""
    with (folder / f"{UNFINISHED}.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found = f"{folder}: found another fetch in progress"
            raise FetchInProgress(f"{found}; needed none") from None
        yield


def _require_same(finished: Path, recorded: RecordedArchive) -> Fetched:
    try:
        archive = recorded_list(finished, recorded)
        faults = "\n".join(file_faults(finished, archive))
    except BadArchive as error:
        faults = str(error)
    if faults:
        raise BadArchive(
            f"{finished}: found another folder; needed none, or the archive that was recorded: move"
            f" it away first\n{faults}"
        )
    return Fetched(0, len(list(archive.files)) + 2)


def _fetch(bucket: Bucket, needed: NeededObject, work: Path) -> bool:
    """Whether a file was fetched: not if it is there, with the right bytes. Raises BadArchive."""
    path = work / needed.name
    if path.is_file() and _sha256(path) == needed.sha256:
        return False
    name = bucket.name_of(needed.path)
    if fault := found_fault(bucket.find(needed.path), needed):
        raise BadArchive(f"{name}: {fault}")
    part = path.with_name(f"{path.name}{_PART}")
    digest, size = hashlib.sha256(), 0
    with part.open("wb") as file:
        for block in bucket.blocks(needed.path, at_most=needed.at_most):
            digest.update(block)
            size += file.write(block)
    sync(part)
    if needed.bytes is not None and size != needed.bytes:
        raise BadArchive(f"{name}: found {size} bytes to read; needed {needed.bytes}")
    if (found := digest.hexdigest()) != needed.sha256:
        raise BadArchive(f"{name}: {other_sha256(found, needed)}")
    part.replace(path)
    return True


def _sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
