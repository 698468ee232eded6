"""Archives are uploaded whole, once, and locked."""

import hashlib
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME
from compliance.archive.object_storage.bucket import Bucket, BucketFailed
from compliance.archive.object_storage.upload_archive import OtherObjects, Uploaded, upload_archive
from compliance.archive.object_storage.verify_bucket import verify_stored
from compliance.archive.recorded_archives import require_archive
from compliance.archive.verify_archive import BadArchive, verify_archive
from tests.compliance.archive.archived_months import LATER, MONTH, Archived, write
from tests.compliance.archive.object_storage.stores import PREFIX, Store, contents
from tests.compliance.exports.exported_days import key_in

_NOWHERE: Final = "http://127.0.0.1:1"


def run(command: str, *arguments: str) -> list[str]:
    """What the command prints."""
    printed = StringIO()
    call_command(command, *arguments, stdout=printed)
    return printed.getvalue().splitlines()


def _without_lock(params: dict[str, dict[str, str]], **_context: object) -> None:
    for name in [name for name in params["headers"] if "object-lock" in name.lower()]:
        del params["headers"][name]


def _done(**_context: object) -> tuple[AWSResponse, dict[str, Any]]:
    return AWSResponse("", HTTPStatus.OK, HTTPHeaders(), None), {}


class TestArchivingAMonth:
    @pytest.fixture(autouse=True)
    def _time(self, month: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)

    def test_uploads_it(self, store: Store, tmp_path: Path) -> None:
        """Every file with its bytes, once it is recorded; nothing else."""
        key = key_in(tmp_path)

        lines = run("archive_month", "2026-11")

        recorded = require_archive(MONTH)
        folder = recorded.folder(tmp_path / "archive")
        verify_archive(folder, recorded, {key.key_id})
        files = {f"2026-11.1/{path.name}": path.read_bytes() for path in folder.iterdir()}
        assert {path: store.get(path) for path in store.paths()} == files
        assert lines[-1] == f"2026-11.1: in the bucket: {len(files)} objects"

    @pytest.mark.slow
    def test_keeps_it_if_the_store_does_not_answer(
        self, store: Store, tmp_path: Path, settings: Settings
    ) -> None:
        """The archive is recorded, the message says what to do, and that does it."""
        key = key_in(tmp_path)
        settings.ARCHIVE_ENDPOINT = _NOWHERE

        with pytest.raises(CommandError) as refusal:
            run("archive_month", "2026-11")

        assert "2026-11.1: written and recorded, and not in the bucket: " in str(refusal.value)
        assert "run upload_archive 2026-11.1" in str(refusal.value)
        assert f'connect to the endpoint URL: "{_NOWHERE}' in str(refusal.value)
        recorded = require_archive(MONTH)
        verify_archive(recorded.folder(tmp_path / "archive"), recorded, {key.key_id})
        settings.ARCHIVE_ENDPOINT = store.server.endpoint
        run("upload_archive", "2026-11.1")
        verify_stored(Bucket.of_settings(), recorded, by_reading=True)

    def test_writes_nothing_for_a_bucket_of_no_use(
        self, settings: Settings, tmp_path: Path
    ) -> None:
        """Before an hour of work."""
        key_in(tmp_path)
        settings.ARCHIVE_BUCKET = "sabot-archive"

        with pytest.raises(CommandError, match="found 'sabot-archive'; needed s3://BUCKET/PREFIX"):
            run("archive_month", "2026-11")

        assert not (tmp_path / "archive").exists()


class TestUploading:
    @pytest.mark.slow
    def test_stores_the_list_last(self, store: Store, small: Archived) -> None:
        """Where the list is, all is; again, nothing is stored."""
        paths = list[str]()
        given: Any = {"folder": small.folder.parent, "now": timezone.now, "progress": paths.append}

        first = upload_archive(Bucket.of_settings(), small.recorded, **given)
        stored = store.versions()
        again = upload_archive(Bucket.of_settings(), small.recorded, **given)

        files = contents(small.folder)
        assert (first, again) == (Uploaded(len(files), len(files)), Uploaded(0, len(files)))
        assert paths[-2:] == [f"2026-11.1/{SIGNATURE_NAME}", f"2026-11.1/{LIST_NAME}"]
        assert {path: store.get(f"2026-11.1/{path}") for path in files} == files
        assert store.all_versions() == set(stored.values())

    def test_stores_what_is_missing(self, store: Store, small: Archived) -> None:
        """Whatever an upload that was killed has left."""
        files = sorted(small.folder.iterdir())
        for path in files[1:3]:
            store.put(f"2026-11.1/{path.name}", path.read_bytes())

        assert store.upload(small) == Uploaded(len(files) - 2, len(files))

    def test_is_of_every_recorded_archive(self, store: Store, archived: Archived) -> None:
        """Also of those written before there was a bucket; one by one, or all."""
        write(archived.folder.parent, archived.key)

        [latest] = run("upload_archive", "2026-11")
        both = run("upload_archive")

        files = len(contents(archived.folder))
        assert latest == f"2026-11.2: in the bucket: {files} objects, {files} of them new"
        assert both == [
            f"2026-11.1: in the bucket: {files} objects, {files} of them new",
            f"2026-11.2: in the bucket: {files} objects, 0 of them new",
        ]
        assert {path.partition("/")[0] for path in store.paths()} == {"2026-11.1", "2026-11.2"}

    @pytest.mark.parametrize("name", ["rounds_bet-00001.parquet", SIGNATURE_NAME, LIST_NAME])
    def test_replaces_nothing(self, store: Store, small: Archived, name: str) -> None:
        """Another object of the name stays; it is named, and there is no list."""
        other = f"not {name}".encode()
        store.put(f"2026-11.1/{name}", other)

        with pytest.raises(OtherObjects) as refusal:
            store.upload(small)

        [line] = str(refusal.value).splitlines()
        assert line.startswith(f"{store.url}/2026-11.1/{name}: found ")
        assert store.get(f"2026-11.1/{name}") == other
        assert name == LIST_NAME or f"2026-11.1/{LIST_NAME}" not in store.paths()

    def test_loses_to_who_stores_at_the_same_moment(
        self, store: Store, small: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The store itself refuses a second object of the name."""
        file = small.archive.table("rounds_bet").files[0]
        path = f"2026-11.1/{file.name}"
        bucket = Bucket.of_settings()
        assert bucket.find(path) is None

        store.put(path, b"faster")
        is_new = bucket.put(path, small.folder / file.name, sha256=file.sha256, at=LATER)

        assert not is_new
        assert store.get(path) == b"faster"

    def test_of_other_bytes_than_those_of_the_digest_is_refused_by_the_store(
        self, store: Store, small: Archived
    ) -> None:
        """Whatever happens to them between the disk and the store."""
        file = small.archive.table("rounds_bet").files[0]
        path = f"2026-11.1/{file.name}"
        other = hashlib.sha256(b"other").hexdigest()

        with pytest.raises(BucketFailed, match=f"{path}: found .*BadDigest"):
            Bucket.of_settings().put(path, small.folder / file.name, sha256=other, at=LATER)

        assert store.paths() == {}

    def test_refuses_files_that_are_not_those_of_the_list(
        self, store: Store, small: Archived
    ) -> None:
        """They are named, and the bucket gets no list."""
        path = small.folder / "rounds_bet-00001.parquet"
        path.write_bytes(path.read_bytes()[:-1])

        with pytest.raises(BadArchive, match=rf"{path.name}: found \d+ bytes; needed \d+"):
            store.upload(small)

        assert f"2026-11.1/{path.name}" not in store.paths()
        assert f"2026-11.1/{LIST_NAME}" not in store.paths()


class TestALock:
    @pytest.mark.slow
    def test_keeps_every_object(self, store: Store, small: Archived, settings: Settings) -> None:
        """Nobody deletes one, not even with all rights; what hides one is undone."""
        settings.ARCHIVE_LOCK_DAYS = 3
        begun = datetime.now(UTC).replace(microsecond=0)  # S3 keeps no parts of a second
        store.upload(small)
        stored = store.versions()

        for path, version in stored.items():
            key = f"{PREFIX}/{path}"
            head = store.server.client.head_object(Bucket=store.bucket, Key=key)
            assert head["ObjectLockMode"] == "COMPLIANCE"
            assert timedelta(days=3) <= head["ObjectLockRetainUntilDate"] - begun
            assert head["ObjectLockRetainUntilDate"] - begun < timedelta(days=3, minutes=10)
            with pytest.raises(ClientError, match="AccessDenied"):
                store.server.client.delete_object(Bucket=store.bucket, Key=key, VersionId=version)
            store.delete(path)
        with pytest.raises(BadArchive, match=f"{LIST_NAME}: found no such object"):
            verify_stored(Bucket.of_settings(), small.recorded, by_reading=False)
        store.undo(stored)
        verify_stored(Bucket.of_settings(), small.recorded, by_reading=True)

    def test_needs_a_bucket_with_locks(
        self, store: Store, small: Archived, settings: Settings
    ) -> None:
        """Otherwise nothing is stored: a lock that is wanted is not left out."""
        bucket = store.server.new_bucket()
        settings.ARCHIVE_BUCKET, settings.ARCHIVE_LOCK_DAYS = f"s3://{bucket}", 3

        with pytest.raises(BucketFailed, match=r"parquet: found .*Lock"):
            store.upload(small)

        assert store.server.client.list_objects_v2(Bucket=bucket)["KeyCount"] == 0

    def test_is_put_on_what_is_there(
        self, store: Store, uploaded: Archived, settings: Settings
    ) -> None:
        """On objects from before the setting: the same versions of them."""
        settings.ARCHIVE_LOCK_DAYS = 3
        before = store.versions()

        again = store.upload(uploaded)

        assert (again.stored, store.versions()) == (0, before)
        for path, version in before.items():
            with pytest.raises(ClientError, match="AccessDenied"):
                store.server.client.delete_object(
                    Bucket=store.bucket, Key=f"{PREFIX}/{path}", VersionId=version
                )

    def test_that_the_store_ignores_is_named(
        self, store: Store, small: Archived, settings: Settings
    ) -> None:
        """As a store does that does not know Object Lock; also the second time."""
        settings.ARCHIVE_LOCK_DAYS = 3
        bucket = Bucket.of_settings()
        events = bucket._client.meta.events
        events.register("before-call.s3.PutObject", _without_lock)
        events.register("before-call.s3.PutObjectRetention", _done)  # type: ignore[arg-type]  # an answer

        for _time in range(2):
            with pytest.raises(BucketFailed, match=r"parquet: found no lock; needed a store that"):
                upload_archive(bucket, small.recorded, folder=small.folder.parent, now=timezone.now)

        assert f"2026-11.1/{LIST_NAME}" not in store.paths()
