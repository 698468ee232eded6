"""The bucket of the archive, in an S3-compatible object store.

Only commands import this module, and the check of ``doctor`` when it runs: boto3 with a client
takes 30 MB and a fifth of a second, which web processes and workers do without.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client
    from types_boto3_s3.type_defs import ObjectLockRetentionUnionTypeDef

LARGEST_OBJECT: Final = 5 << 30
"""Octets of one PUT (Amazon S3, quotas). Of an object in parts S3 knows no SHA-256 of the whole."""
_URL: Final = re.compile(
    r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])"
    r"(?P<prefix>(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)/?"
)
_BLOCK: Final = 1 << 20
_LOCK_MODE: Final = "COMPLIANCE"
_CONFIG: Final = Config(  # type: ignore[call-arg]  # its stubs lack ignore_configured_endpoint_urls
    connect_timeout=10,
    read_timeout=60,
    retries={"mode": "standard", "max_attempts": 3},
    # The one address is that of the setting, which has been compared with CLEAR_TEXT_HOSTS.
    ignore_configured_endpoint_urls=True,
    # Each upload has a SHA-256 of ours; what is read is compared with a signed list.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class BadBucketSetting(Exception):
    """A setting of the bucket is of no use; nothing was asked of it."""


class BucketFailed(Exception):
    """The store gave no answer, or refused. The text names the object and what it said."""


class StoredObject(NamedTuple):
    """An object as the store describes it, which proves nothing about its bytes."""

    bytes: int
    sha256: str | None
    """Of the whole object, as S3 has compared it when it was stored; None if it states none."""


class Rights(NamedTuple):
    """What the bucket lets this process do."""

    writes: bool
    locks: bool
    """Whether objects can be locked; False unless days of a lock are set."""


class Bucket:
    """A bucket, and the prefix below which its archives are. Asks nothing until it is used."""

    def __init__(self, url: str, *, endpoint: str = "", lock_days: int = 0) -> None:
        """``endpoint`` is the address of the store, Amazon's if empty. Raises BadBucketSetting."""
        parts = _URL.fullmatch(url)
        if parts is None:
            raise BadBucketSetting(f"ARCHIVE_BUCKET: found {url!r}; needed s3://BUCKET/PREFIX")
        if lock_days < 0:
            raise BadBucketSetting(f"ARCHIVE_LOCK_DAYS: found {lock_days}; needed 0 or more")
        self._bucket = parts["bucket"]
        self._prefix = f"{parts['prefix']}/".removeprefix("/")
        self._lock_days = lock_days
        try:
            self._client: S3Client = boto3.Session().client(
                "s3", endpoint_url=endpoint or None, config=_CONFIG
            )
        except (ValueError, BotoCoreError) as error:
            raise BadBucketSetting(
                f"AWS_ENDPOINT_URL_S3, AWS_…: found {error}; needed https://HOST, and settings that"
                " boto3 can use"
            ) from None

    @classmethod
    def of_settings(cls) -> Self:
        """The bucket that the settings name. Raises BadBucketSetting, also if they name none."""
        return cls(
            settings.ARCHIVE_BUCKET,
            endpoint=settings.ARCHIVE_ENDPOINT,
            lock_days=settings.ARCHIVE_LOCK_DAYS,
        )

    def name_of(self, path: str) -> str:
        """How an object is named to people. ``path`` is ARCHIVE/FILE, here and below."""
        return f"s3://{self._bucket}/{self._prefix}{path}"

    def find(self, path: str) -> StoredObject | None:
        """What the store says of an object; None without one. Raises BucketFailed."""
        with self._asking(path):
            try:
                found = self._client.head_object(**self._at(path), ChecksumMode="ENABLED")
            except ClientError as error:
                if _status(error) == HTTPStatus.NOT_FOUND:
                    return None
                raise
        return StoredObject(found["ContentLength"], _whole_sha256(found.get("ChecksumSHA256")))

    def put(self, path: str, file: Path, *, sha256: str, at: datetime) -> bool:
        """Stores a file unless there is such an object; whether there was none.

        S3 refuses other bytes than those of the SHA-256. Raises BucketFailed.
        """
        lock: dict[str, Any] = {}
        if self._lock_days:
            until = self._lock_end(at)
            lock = {"ObjectLockMode": _LOCK_MODE, "ObjectLockRetainUntilDate": until}
        with self._asking(path), file.open("rb") as content:
            try:
                self._client.put_object(
                    **self._at(path),
                    Body=content,
                    ChecksumAlgorithm="SHA256",
                    ChecksumSHA256=b64encode(bytes.fromhex(sha256)).decode(),
                    IfNoneMatch="*",
                    **lock,
                )
            except ClientError as error:
                if _status(error) == HTTPStatus.PRECONDITION_FAILED:
                    return False
                raise
        return True

    def require_lock(self, path: str, *, at: datetime) -> None:
        """Locks an object that has no lock, if days are set; a lock that has ended counts.

        Raises BucketFailed, also if the store does not lock it, or says nothing of it.
        """
        if not self._lock_days or self._has_lock(path):
            return
        retention: ObjectLockRetentionUnionTypeDef = {
            "Mode": _LOCK_MODE,
            "RetainUntilDate": self._lock_end(at),
        }
        with self._asking(path):
            self._client.put_object_retention(**self._at(path), Retention=retention)
        if not self._has_lock(path):
            raise BucketFailed(
                f"{self.name_of(path)}: found no lock; needed a store that locks objects, and the"
                " right s3:GetObjectRetention"
            )

    def blocks(self, path: str, *, at_most: int) -> Iterator[bytes]:
        """The bytes of an object, until there are more than so many. Raises BucketFailed."""
        with self._asking(path):
            body = self._client.get_object(**self._at(path))["Body"]
            with closing(body):
                read = 0
                while read <= at_most and (block := body.read(_BLOCK)):
                    read += len(block)
                    yield block

    def sha256_of(self, path: str, *, at_most: int) -> str:
        """SHA-256 by reading the object, as far as ``blocks`` does. Raises BucketFailed."""
        digest = hashlib.sha256()
        for block in self.blocks(path, at_most=at_most):
            digest.update(block)
        return digest.hexdigest()

    def paths(self, archive: str = "") -> Iterator[str]:
        """The paths of all objects, or of those of an archive. Raises BucketFailed."""
        under = f"{self._prefix}{archive}/" if archive else self._prefix
        with self._asking(archive):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=under
            )
            for page in pages:
                for found in page.get("Contents", []):
                    yield found["Key"].removeprefix(self._prefix)

    def rights(self) -> Rights:
        """Whether this process may list, read and write; stores nothing. Raises BucketFailed.

        BucketFailed as well if it may not list, or not read what is there.
        """
        first = next(self.paths(), None)
        if first is not None:
            next(self.blocks(first, at_most=0), None)
        writes = self._may_write()
        return Rights(writes, writes and self._lock_days > 0 and self._has_locks())

    def _may_write(self) -> bool:
        """By an upload in parts that is begun and given up, for which the same right is needed."""
        path = "doctor"
        with self._asking(path):
            try:
                begun = self._client.create_multipart_upload(**self._at(path))
            except ClientError as error:
                if _status(error) == HTTPStatus.FORBIDDEN:
                    return False
                raise
            self._client.abort_multipart_upload(**self._at(path), UploadId=begun["UploadId"])
        return True

    def _has_locks(self) -> bool:
        with self._asking(""):
            try:
                found = self._client.get_object_lock_configuration(Bucket=self._bucket)
            except ClientError as error:
                if _status(error) == HTTPStatus.NOT_FOUND:
                    return False
                raise
        return found["ObjectLockConfiguration"].get("ObjectLockEnabled") == "Enabled"

    def _has_lock(self, path: str) -> bool:
        with self._asking(path):
            return "ObjectLockRetainUntilDate" in self._client.head_object(**self._at(path))

    def _lock_end(self, at: datetime) -> datetime:
        return at + timedelta(days=self._lock_days)

    def _at(self, path: str) -> dict[str, Any]:
        return {"Bucket": self._bucket, "Key": f"{self._prefix}{path}"}

    @contextmanager
    def _asking(self, path: str) -> Iterator[None]:
        try:
            yield
        except (ClientError, BotoCoreError) as error:
            found = f"{self.name_of(path)}: found {error}"
            raise BucketFailed(f"{found}; needed an answer of the store") from error


def _status(error: ClientError) -> int:
    return error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)


def _whole_sha256(checksum: str | None) -> str | None:
    """As hexadecimal digits; None for the digest of the digests of parts, which has a suffix."""
    try:
        return b64decode(checksum or "", validate=True).hex() or None
    except NotBase64:
        return None
