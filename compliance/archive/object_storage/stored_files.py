"""The objects of an archive: what they have to be, and whether those in the bucket are."""

from collections.abc import Iterator
from typing import NamedTuple

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME, ArchiveList
from compliance.archive.object_storage.bucket import Bucket, StoredObject
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import LARGEST_LIST


class NeededObject(NamedTuple):
    """An object that an archive needs."""

    path: str
    """ARCHIVE/FILE."""
    name: str
    sha256: str
    bytes: int | None
    """None for list and signature, of which the audit record states the digest alone."""

    @property
    def at_most(self) -> int:
        """The octets that are read of it, at most one block more."""
        return LARGEST_LIST if self.bytes is None else self.bytes


def list_and_signature(recorded: RecordedArchive) -> tuple[NeededObject, NeededObject]:
    """The objects that the audit record names."""
    digests = ((LIST_NAME, recorded.list_sha256), (SIGNATURE_NAME, recorded.signature_sha256))
    listed, signature = [
        NeededObject(f"{recorded.name}/{name}", name, sha256, None) for name, sha256 in digests
    ]
    return listed, signature


def listed_objects(archive: ArchiveList) -> Iterator[NeededObject]:
    """The objects that the list names."""
    for file in archive.files:
        yield NeededObject(f"{archive.name}/{file.name}", file.name, file.sha256, file.bytes)


def fault_of(bucket: Bucket, needed: NeededObject, *, by_reading: bool = False) -> str:
    """What is wrong with an object; empty if it is the one needed. Raises BucketFailed.

    By the size and SHA-256 that the store states, or by its bytes if it states no SHA-256; with
    ``by_reading`` by both.
    """
    found = bucket.find(needed.path)
    if fault := found_fault(found, needed):
        return f"{bucket.name_of(needed.path)}: {fault}"
    if by_reading or found is None or found.sha256 is None:
        sha256 = bucket.sha256_of(needed.path, at_most=needed.at_most)
        if sha256 != needed.sha256:
            return f"{bucket.name_of(needed.path)}: {other_sha256(sha256, needed)}"
    return ""


def found_fault(found: StoredObject | None, needed: NeededObject) -> str:
    """What the store says that is not as needed; empty if nothing is."""
    if found is None:
        return "found no such object; needed the one of the archive"
    if needed.bytes is not None and found.bytes != needed.bytes:
        return f"found {found.bytes} bytes; needed {needed.bytes}"
    if found.bytes > needed.at_most:
        return f"found {found.bytes} bytes; needed at most {needed.at_most}"
    if found.sha256 is not None and found.sha256 != needed.sha256:
        return other_sha256(found.sha256, needed)
    return ""


def other_sha256(found: str, needed: NeededObject) -> str:
    """The fault of an object with other bytes."""
    return f"found SHA-256 {found}; needed {needed.sha256}"
