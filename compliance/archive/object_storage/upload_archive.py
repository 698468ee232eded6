"""Uploading an archive to the bucket.

The list is the last object: where it is, all of the archive is. Nothing that is there is replaced,
so an upload that was killed is continued by the next one.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from compliance.archive.archive_list import ArchiveList
from compliance.archive.object_storage.bucket import LARGEST_OBJECT, Bucket
from compliance.archive.object_storage.stored_files import (
    NeededObject,
    fault_of,
    list_and_signature,
    listed_objects,
)
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import BadArchive, recorded_list, require_file

Progress = Callable[[str], None]
"""Is told of each object when it is stored."""


class Uploaded(NamedTuple):
    """An archive that is in the bucket."""

    stored: int
    """Objects that were not there before."""
    objects: int
    """All of them."""


class OtherObjects(Exception):
    """The bucket has other objects under the names of the archive; its list was not stored.

    The text has a line for each.
    """


def upload_archive(
    bucket: Bucket,
    recorded: RecordedArchive,
    *,
    folder: Path,
    now: Callable[[], datetime],
    progress: Progress = lambda _path: None,
) -> Uploaded:
    """Stores what the bucket does not have of the archive below ``folder``.

    A lock begins when its object is stored; one that is there without a lock gets it now. Raises
    BadArchive for files that are not those of the list, OtherObjects and BucketFailed.
    """
    source = recorded.folder(folder)
    archive = recorded_list(source, recorded)
    listed, signature = list_and_signature(recorded)

    stored, faults = 0, list[str]()

    def store(needed: NeededObject, path: Callable[[], Path]) -> None:
        nonlocal stored
        if bucket.find(needed.path) is None:
            stored += bucket.put(needed.path, path(), sha256=needed.sha256, at=now())
            progress(needed.path)
        if fault := fault_of(bucket, needed):
            faults.append(fault)
        else:
            bucket.require_lock(needed.path, at=now())

    for needed, path in _with_paths(archive, source):
        store(needed, path)
    for needed in (signature, listed):
        if not faults:
            store(needed, partial(source.joinpath, needed.name))
    if faults:
        raise OtherObjects("\n".join(faults))
    return Uploaded(stored, len(list(archive.files)) + 2)


def _with_paths(
    archive: ArchiveList, source: Path
) -> Iterator[tuple[NeededObject, Callable[[], Path]]]:
    """Each listed object, and what gives its file once its bytes are known to be those listed."""
    for needed, file in zip(listed_objects(archive), archive.files, strict=True):
        if file.bytes > LARGEST_OBJECT:
            raise BadArchive(
                f"{file.name}: found {file.bytes} bytes; needed at most {LARGEST_OBJECT}"
            )
        yield needed, partial(require_file, source, file)
