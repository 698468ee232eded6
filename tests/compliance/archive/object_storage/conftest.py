"""Fixtures for tests of the archive in object storage."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.archive.object_storage.bucket import Bucket
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.object_storage.s3_server import S3Server, s3_server
from tests.compliance.archive.object_storage.small_archives import small_archive
from tests.compliance.archive.object_storage.stores import Store
from tests.compliance.exports.exported_days import key_in


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    """An S3 server for all tests of this process."""
    with s3_server() as server:
        yield server


@pytest.fixture
def store(
    s3: S3Server, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Store:
    """A new bucket with versions and locks, which the commands of the test find."""
    store = Store(s3, s3.new_bucket(has_lock=True))
    store.use(settings, monkeypatch)
    settings.ARCHIVE_FOLDER = str(tmp_path / "archive")
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    monkeypatch.setenv("SABOT_ARCHIVE", settings.ARCHIVE_FOLDER)
    monkeypatch.setenv("SABOT_EXPORT_KEY", settings.EXPORT_KEY)
    return store


@pytest.fixture
def bucket(store: Store) -> Bucket:
    """The same bucket, as the services see it."""
    return Bucket.of_settings()


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Archived:
    """A small archive that is not in the bucket yet."""
    return small_archive(tmp_path / "archive", key_in(tmp_path))


@pytest.fixture
def uploaded(store: Store, small: Archived) -> Archived:
    """A small archive, in the folder and in the bucket."""
    store.upload(small)
    return small
