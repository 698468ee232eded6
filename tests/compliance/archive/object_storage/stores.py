"""A bucket of a test, and what somebody with all rights can do to it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.utils import timezone
from pytest_django import Settings

from compliance.archive.object_storage.bucket import Bucket
from compliance.archive.object_storage.upload_archive import Uploaded, upload_archive
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.object_storage.s3_server import S3Key, S3Server

if TYPE_CHECKING:
    from types_boto3_s3.type_defs import ListObjectVersionsOutputTypeDef

PREFIX: Final = "casino/prova"


class Store:
    """A bucket, and a prefix below which archives are."""

    def __init__(self, server: S3Server, bucket: str) -> None:
        self.server, self.bucket = server, bucket
        self.url: Final = f"s3://{bucket}/{PREFIX}"

    def use(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        """Has commands of this process, and those that it starts, find the bucket."""
        settings.ARCHIVE_BUCKET, settings.ARCHIVE_ENDPOINT = self.url, self.server.endpoint
        monkeypatch.setenv("ARCHIVE_BUCKET", self.url)
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", self.server.endpoint)
        use_key(self.server.key, monkeypatch)

    def upload(self, archived: Archived) -> Uploaded:
        """Uploads an archive."""
        return upload_archive(
            Bucket.of_settings(),
            archived.recorded,
            folder=archived.folder.parent,
            now=timezone.now,
        )

    def put(self, path: str, content: bytes) -> None:
        """Stores an object, over one that is there; with another checksum than SHA-256."""
        self.server.client.put_object(Bucket=self.bucket, Key=f"{PREFIX}/{path}", Body=content)

    def get(self, path: str) -> bytes:
        """The bytes of an object."""
        found = self.server.client.get_object(Bucket=self.bucket, Key=f"{PREFIX}/{path}")
        return found["Body"].read()

    def delete(self, path: str) -> None:
        """Removes an object: where there are versions, it hides them."""
        self.server.client.delete_object(Bucket=self.bucket, Key=f"{PREFIX}/{path}")

    def paths(self) -> dict[str, int]:
        """The objects below the prefix, with their sizes."""
        pages = self.server.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{PREFIX}/"
        )
        return {
            self._path(found["Key"]): found["Size"]
            for page in pages
            for found in page.get("Contents", [])
        }

    def versions(self) -> dict[str, str]:
        """The id of the version of each object that is read."""
        listed = self._listed()
        return {
            self._path(found["Key"]): found["VersionId"]
            for found in listed.get("Versions", [])
            if found["IsLatest"]
        }

    def all_versions(self) -> set[str]:
        """The ids of all versions, also of those that are hidden, and of what hides them."""
        listed = self._listed()
        return {
            found["VersionId"]
            for found in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]
        }

    def undo(self, before: Mapping[str, str]) -> None:
        """Removes what was stored, or hidden, since ``versions()`` were these."""
        kept, listed = set(before.values()), self._listed()
        for found in [*listed.get("Versions", []), *listed.get("DeleteMarkers", [])]:
            if found["VersionId"] not in kept:
                self.server.client.delete_object(
                    Bucket=self.bucket, Key=found["Key"], VersionId=found["VersionId"]
                )

    def _listed(self) -> "ListObjectVersionsOutputTypeDef":
        return self.server.client.list_object_versions(Bucket=self.bucket, Prefix=f"{PREFIX}/")

    def _path(self, key: str) -> str:
        return key.removeprefix(f"{PREFIX}/")


def use_key(key: S3Key, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has commands call the store with this key."""
    for variable, value in key.environment.items():
        monkeypatch.setenv(variable, value)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of an archive, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
