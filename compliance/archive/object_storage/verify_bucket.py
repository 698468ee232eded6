"""Verifying the archives in the bucket: every object of them, and that there is no other."""

import hashlib
from collections.abc import Collection, Iterator

from compliance.archive.archive_list import ArchiveList, BadList
from compliance.archive.object_storage.bucket import Bucket
from compliance.archive.object_storage.stored_files import (
    NeededObject,
    fault_of,
    found_fault,
    list_and_signature,
    listed_objects,
    other_sha256,
)
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import BadArchive


def verify_stored(bucket: Bucket, recorded: RecordedArchive, *, by_reading: bool) -> ArchiveList:
    """Verifies that exactly the objects of the archive are in the bucket; returns the list.

    By the sizes and SHA-256 that the store states; with ``by_reading`` all bytes are read. The list
    is always read. Raises BadArchive with all faults, and BucketFailed.
    """
    listed, signature = list_and_signature(recorded)
    archive = _read_list(bucket, listed, recorded)
    files = list(listed_objects(archive))
    faults = [
        fault
        for needed in (signature, *files)
        if (fault := fault_of(bucket, needed, by_reading=by_reading))
    ]
    known = {needed.path for needed in (listed, signature, *files)}
    faults += _others(bucket, bucket.paths(recorded.name), known)
    if faults:
        raise BadArchive("\n".join(faults))
    return archive


def objects_of_no_archive(bucket: Bucket, archives: Collection[str]) -> list[str]:
    """A line for each object that is below the prefix and of none of these archives.

    Raises BucketFailed.
    """
    names = set(archives)
    paths = (path for path in bucket.paths() if path.partition("/")[0] not in names)
    return list(_others(bucket, paths, ()))


def _read_list(bucket: Bucket, listed: NeededObject, recorded: RecordedArchive) -> ArchiveList:
    name = bucket.name_of(listed.path)
    if fault := found_fault(bucket.find(listed.path), listed):
        raise BadArchive(f"{name}: {fault}")
    content = b"".join(bucket.blocks(listed.path, at_most=listed.at_most))
    if (sha256 := hashlib.sha256(content).hexdigest()) != listed.sha256:
        raise BadArchive(f"{name}: {other_sha256(sha256, listed)}")
    try:
        archive = ArchiveList.from_bytes(content)
    except BadList as error:
        raise BadArchive(f"{name}: {error}") from None
    if archive.name != recorded.name:
        raise BadArchive(f"{name}: month, number: found {archive.name}; needed {recorded.name}")
    return archive


def _others(bucket: Bucket, paths: Iterator[str], known: Collection[str]) -> Iterator[str]:
    for path in paths:
        if path not in known:
            yield f"{bucket.name_of(path)}: found an object that is not listed; needed none"
