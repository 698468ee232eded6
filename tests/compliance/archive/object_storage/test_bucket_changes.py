"""Nothing is believed of the bucket: every change of it is named, and nothing of it is accepted."""

import random
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command

from compliance.archive.archive_list import LIST_NAME
from compliance.archive.object_storage.bucket import Bucket, StoredObject
from compliance.archive.object_storage.fetch_archive import fetch_archive
from compliance.archive.object_storage.verify_bucket import verify_stored
from compliance.archive.recorded_archives import RecordedArchive
from compliance.archive.verify_archive import BadArchive
from tests.compliance.archive.archived_months import Archived, write
from tests.compliance.archive.object_storage.bucket_changes import (
    CHANGES,
    BucketChange,
    Target,
    damage,
)
from tests.compliance.archive.object_storage.small_archives import small_archive
from tests.compliance.archive.object_storage.stores import Store, contents
from tests.repetitions import repeated

_BETS: Final = "2026-11.2/rounds_bet-00001.parquet"


@pytest.fixture
def small_target(store: Store, small: Archived, tmp_path: Path) -> tuple[Target, RecordedArchive]:
    """The second archive of the month, in the bucket beside the first."""
    second = small_archive(tmp_path / "archive", small.key, 2)
    store.upload(small)
    store.upload(second)
    target = Target(store, second.folder.name, contents(second.folder), contents(small.folder))
    return target, second.recorded


def refused(
    dice: random.Random,
    change: BucketChange,
    target: Target,
    recorded: RecordedArchive,
    folder: Path,
) -> None:
    """Changes the bucket, expects it to be named by all who read it, and undoes the change."""
    bucket = Bucket.of_settings()
    before = target.store.versions()
    changed = change(dice, target)
    for by_reading in (False, True):
        with pytest.raises(BadArchive) as verified:
            verify_stored(bucket, recorded, by_reading=by_reading)
        assert f"{target.store.url}/{changed}: found " in str(verified.value)
    with pytest.raises(BadArchive) as fetched:
        fetch_archive(bucket, recorded, folder=folder)
    # Of two that were swapped, whichever comes first.
    assert str(fetched.value).startswith(f"{target.store.url}/{target.archive}/")
    assert "; needed " in str(fetched.value)
    assert not recorded.folder(folder).exists()
    target.store.undo(before)


class TestAChange:
    @pytest.mark.parametrize(
        "times", [1, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(2400)])]
    )
    def test_of_each_kind_is_refused(
        self, times: int, small_target: tuple[Target, RecordedArchive], tmp_path: Path
    ) -> None:
        """At places drawn by chance, by a host that has nothing of the archive yet.

        The object is named with what was found and needed; undone, the archive is fetched.
        """
        target, recorded = small_target
        dice = random.Random("bucket")

        for number in range(repeated(times)):
            for kind, change in CHANGES.items():
                refused(dice, change, target, recorded, tmp_path / f"{number} {kind}")

        bucket, folder = Bucket.of_settings(), tmp_path / "fetched"
        verify_stored(bucket, recorded, by_reading=True)
        fetch_archive(bucket, recorded, folder=folder)
        assert contents(recorded.folder(folder)) == target.files

    @pytest.mark.parametrize("path", ["2026-11.2/rounds_bet-00009.parquet", "2026-11.2/x/y"])
    def test_by_another_object_is_named(
        self, path: str, small_target: tuple[Target, RecordedArchive], tmp_path: Path
    ) -> None:
        """It is not fetched."""
        (target, recorded), bucket = small_target, Bucket.of_settings()
        target.store.put(path, b"another")

        with pytest.raises(BadArchive) as fault:
            verify_stored(bucket, recorded, by_reading=False)
        fetch_archive(bucket, recorded, folder=tmp_path / "fetched")

        assert str(fault.value) == (
            f"{target.store.url}/{path}: found an object that is not listed; needed none"
        )
        assert contents(tmp_path / "fetched" / "2026-11.2") == target.files

    def test_below_the_digest_that_the_store_states(
        self, small_target: tuple[Target, RecordedArchive], tmp_path: Path
    ) -> None:
        """Reading finds it, and so does a fetch."""
        (target, recorded), bucket = small_target, Bucket.of_settings()
        path, content = _BETS, target.files["rounds_bet-00001.parquet"]
        damage(target.store, path, content[:-1] + bytes([content[-1] ^ 1]))

        verify_stored(bucket, recorded, by_reading=False)
        for refuse in (
            lambda: verify_stored(bucket, recorded, by_reading=True),
            lambda: fetch_archive(bucket, recorded, folder=tmp_path / "fetched"),
        ):
            with pytest.raises(BadArchive, match=rf"{path}: found SHA-256 \w+; needed \w+"):
                refuse()

    @pytest.mark.slow
    def test_is_found_without_a_digest_of_the_store(
        self, small_target: tuple[Target, RecordedArchive]
    ) -> None:
        """Of an object that another program has uploaded: it is read."""
        (target, recorded), bucket = small_target, Bucket.of_settings()
        content = target.files["rounds_bet-00001.parquet"]
        target.store.put(_BETS, content)
        found = bucket.find(_BETS)
        verify_stored(bucket, recorded, by_reading=False)
        target.store.put(_BETS, bytes(len(content)))

        assert found == StoredObject(len(content), None)
        with pytest.raises(BadArchive, match=rf"{_BETS}: found SHA-256 \w+; needed"):
            verify_stored(bucket, recorded, by_reading=False)


class TestTheCommand:
    def verified(self, *arguments: str) -> list[str]:
        """What it prints, and at last why it fails, if it does."""
        printed = StringIO()
        try:
            call_command("verify_archive", *arguments, stdout=printed)
        except CommandError as error:
            printed.write(str(error))
        return printed.getvalue().splitlines()

    @pytest.mark.slow
    def test_verifies_all_archives_and_what_is_beside_them(
        self, archived: Archived, store: Store
    ) -> None:
        """Below the prefix there is nothing else; each archive that is not right is named."""
        write(archived.folder.parent, archived.key)
        call_command("upload_archive", stdout=StringIO())
        right = self.verified("--bucket")
        latest = self.verified("--bucket", "--read", "2026-11")
        store.put("2026-11.3/archive.json", b"of nobody")
        store.put("notes.txt", b"of nobody")
        others = self.verified("--bucket")
        store.delete(f"2026-11.1/{LIST_NAME}")
        wrong = self.verified("--bucket")

        names = [line.partition(": as recorded: ")[0] for line in right]
        assert names == ["2026-11.1", "2026-11.2"]
        assert latest == right[1:]
        fault = "found an object that is not listed; needed none"
        assert others == [
            *right,
            f"{store.url}/2026-11.3/archive.json: {fault}",
            f"{store.url}/notes.txt: {fault}",
            "2 objects are of no recorded archive",
        ]
        assert wrong[0].startswith(f"2026-11.1: {store.url}/2026-11.1/{LIST_NAME}: found no such")
        assert (wrong[1], wrong[-1]) == (right[1], "1 of 2 archives are not as recorded")

    def test_refuses_arguments_that_do_not_fit(self, archived: Archived, store: Store) -> None:
        """A folder is not in the bucket, and folders are read in any case."""
        folder = str(archived.folder)

        assert self.verified("--bucket", folder) == [
            f"--bucket: found {folder}; needed names like 2026-11.1"
        ]
        assert self.verified("--read") == ["--read: found no --bucket; needed it"]
