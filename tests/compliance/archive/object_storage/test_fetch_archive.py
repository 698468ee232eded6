"""Archives are fetched from the bucket whole, or not at all, and then work as ever."""

import asyncio
import fcntl
import shutil
import socket
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.archive.object_storage.bucket import Bucket, BucketFailed
from compliance.archive.object_storage.fetch_archive import (
    UNFINISHED,
    Fetched,
    FetchInProgress,
    fetch_archive,
)
from compliance.archive.verify_archive import BadArchive
from tests.certificates import Authority
from tests.compliance.archive.archived_months import Archived, write
from tests.compliance.archive.object_storage.small_archives import LARGE
from tests.compliance.archive.object_storage.stores import Store, contents
from tests.compliance.archive.removable_months import detach, digests, drop_parts, restore
from tests.lines import Line
from tests.tls_lines import tls_line


def run(command: str, *arguments: str) -> list[str]:
    """What the command prints."""
    printed = StringIO()
    call_command(command, *arguments, stdout=printed, stderr=StringIO())
    return printed.getvalue().splitlines()


class TestTheWholeWay:
    @pytest.mark.slow
    @pytest.mark.timeout(300)
    def test_from_the_database_and_back(self, removable: Archived, store: Store) -> None:
        """The month leaves the database, and the folder is lost: the bucket has it all."""
        rows = digests(removable)
        store.upload(removable)
        detach(removable)
        drop_parts()
        shutil.rmtree(removable.folder.parent)

        fetched = run("fetch_archive", "2026-11")
        verified = run("verify_archive")
        restore(removable)

        assert fetched[0].startswith(f"2026-11.1: in {removable.folder}: ")
        assert [line.partition(", ")[0].rpartition(": ")[0] for line in verified] == [
            "2026-11.1: as recorded"
        ]
        assert digests(removable) == rows


class TestFetching:
    def test_brings_what_another_host_has_written(
        self, uploaded: Archived, bucket: Bucket, tmp_path: Path
    ) -> None:
        """With every byte; what is unfinished is gone."""
        folder = tmp_path / "other"

        fetched = fetch_archive(bucket, uploaded.recorded, folder=folder)

        files = contents(uploaded.folder)
        assert contents(folder / "2026-11.1") == files
        assert fetched == Fetched(len(files), len(files))
        assert {it.name for it in folder.iterdir()} == {"2026-11.1", f"{UNFINISHED}.lock"}

    def test_brings_every_recorded_archive(
        self, store: Store, archived: Archived, tmp_path: Path, settings: Settings
    ) -> None:
        """One that is not in the bucket is named, and so is a folder that cannot be written to."""
        write(archived.folder.parent, archived.key)
        run("upload_archive", "2026-11.2")
        settings.ARCHIVE_FOLDER = str(tmp_path / "other")
        printed = StringIO()

        with pytest.raises(CommandError, match="1 of 2 archives are not in the folder"):
            call_command("fetch_archive", stdout=printed)

        missing, fetched = printed.getvalue().splitlines()
        assert missing == (
            f"2026-11.1: {store.url}/2026-11.1/archive.json: found no such object; needed the one"
            " of the archive"
        )
        files = contents(archived.folder.with_name("2026-11.2"))
        assert contents(tmp_path / "other" / "2026-11.2") == files
        assert fetched.endswith(f": {len(files)} files, {len(files)} of them new")
        settings.ARCHIVE_FOLDER = "/proc/archive"
        with pytest.raises(CommandError, match="/proc/archive"):
            run("fetch_archive")

    def test_again_reads_nothing_of_the_bucket(
        self, uploaded: Archived, bucket: Bucket, store: Store
    ) -> None:
        """The folder is compared with its list; a changed file is named, and left as it is."""
        path = uploaded.folder / "rounds_bet-00001.parquet"
        content = path.read_bytes()
        for stored in store.paths():
            store.delete(stored)

        again = fetch_archive(bucket, uploaded.recorded, folder=uploaded.folder.parent)
        path.write_bytes(content[:-1])
        with pytest.raises(BadArchive) as refusal:
            fetch_archive(bucket, uploaded.recorded, folder=uploaded.folder.parent)

        assert again == Fetched(0, len(contents(uploaded.folder)))
        assert "found another folder; needed none, or the archive that was rec" in str(
            refusal.value
        )
        assert f"{path.name}: found {len(content) - 1} bytes" in str(refusal.value)
        assert path.read_bytes() == content[:-1]

    def test_goes_on_after_a_broken_line(
        self, uploaded: Archived, store: Store, settings: Settings, tmp_path: Path
    ) -> None:
        """What has arrived whole is not fetched again; until then there is no archive."""
        port = int(store.server.endpoint.rpartition(":")[2])
        line = Line(lambda: socket.create_connection(("127.0.0.1", port)))
        settings.ARCHIVE_ENDPOINT = f"http://127.0.0.1:{line.port}"
        line.break_answer(LARGE // 2)

        with pytest.raises(BucketFailed, match=f"{store.url}/2026-11.1/"):
            fetch_archive(Bucket.of_settings(), uploaded.recorded, folder=tmp_path / "other")
        unfinished = [it.name for it in (tmp_path / "other" / UNFINISHED / "2026-11.1").iterdir()]
        assert not (tmp_path / "other" / "2026-11.1").exists()
        second = fetch_archive(Bucket.of_settings(), uploaded.recorded, folder=tmp_path / "other")
        line.close()

        *whole, cut = sorted(unfinished, key=lambda name: name.endswith(".part"))
        assert cut == "trail_auditrecord-00001.parquet.part"
        assert second == Fetched(1, len(whole) + 1)
        assert contents(tmp_path / "other" / "2026-11.1") == contents(uploaded.folder)

    def test_is_done_by_one_process_at_a_time(
        self, uploaded: Archived, bucket: Bucket, tmp_path: Path
    ) -> None:
        """In one folder; the lock is gone with its process."""
        folder = tmp_path / "other"
        folder.mkdir()
        with (folder / f"{UNFINISHED}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pytest.raises(FetchInProgress, match="found another fetch in progress; needed no"):
                fetch_archive(bucket, uploaded.recorded, folder=folder)

        fetch_archive(bucket, uploaded.recorded, folder=folder)

    def test_does_not_use_what_others_left_in_its_folder(
        self, uploaded: Archived, bucket: Bucket, tmp_path: Path
    ) -> None:
        """Another file is named; one with other bytes is fetched."""
        work = tmp_path / "other" / UNFINISHED / "2026-11.1"
        work.mkdir(parents=True)
        (work / "rounds_bet-00001.parquet").write_bytes(b"other")
        (work / "more").write_bytes(b"other")

        with pytest.raises(BadArchive, match="more: found a file that is not listed; needed none"):
            fetch_archive(bucket, uploaded.recorded, folder=tmp_path / "other")
        (work / "more").unlink()
        fetch_archive(bucket, uploaded.recorded, folder=tmp_path / "other")

        assert contents(tmp_path / "other" / "2026-11.1") == contents(uploaded.folder)


class TestTls:
    @pytest.mark.slow
    def test_is_verified_by_the_authority_that_is_named(
        self,
        store: Store,
        uploaded: Archived,
        settings: Settings,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """As boto3 does by AWS_CA_BUNDLE; without it the store is refused."""
        authority = Authority(tmp_path)
        host, port = store.server.endpoint.removeprefix("http://").split(":")

        with tls_line(
            authority.issue("localhost"), lambda: asyncio.open_connection(host, int(port))
        ) as at:
            settings.ARCHIVE_ENDPOINT = f"https://localhost:{at}"
            with pytest.raises(BucketFailed, match="SSL validation failed"):
                fetch_archive(Bucket.of_settings(), uploaded.recorded, folder=tmp_path / "other")
            monkeypatch.setenv("AWS_CA_BUNDLE", str(authority.file))
            fetch_archive(Bucket.of_settings(), uploaded.recorded, folder=tmp_path / "other")

        assert contents(tmp_path / "other" / "2026-11.1") == contents(uploaded.folder)
