"""Archives that restore_month refuses, with nothing left behind."""

import hashlib
import random
import shutil
from pathlib import Path

import pytest

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME, ArchiveList
from compliance.archive.moved_months.restore_month import MonthNotRestored
from compliance.archive.parquet import open_duckdb
from compliance.archive.recorded_archives import ArchiveMissing, archive_entry
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import SigningKey
from compliance.trail.record import record_entry
from tests.compliance.archive.archived_months import LATER, Archived, write
from tests.compliance.archive.removable_months import (
    OWNER,
    detach,
    digests,
    drop_parts,
    execute,
    nothing_changes,
    restore,
)
from tests.compliance.exports.exported_days import key_in
from tests.payouts.reconciliation.five_games import tamper


class TestAnArchive:
    @pytest.mark.slow
    def test_with_a_changed_byte_in_any_file_is_refused(self, detached: Archived) -> None:
        """The file is named."""
        dice = random.Random("restore")
        for path in sorted(detached.folder.iterdir()):
            original = path.read_bytes()
            content = bytearray(original)
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
            path.write_bytes(content)
            with nothing_changes(), pytest.raises(BadArchive, match=path.name):
                restore(detached)
            path.write_bytes(original)
        restore(detached)

    @pytest.mark.slow
    @pytest.mark.parametrize("column", ["amount_cents", "origin"])
    def test_whose_file_changes_once_it_was_verified_is_refused(
        self, column: str, detached: Archived
    ) -> None:
        """Money that is forged while rows are loaded: the digest of the rows says so."""
        values = {"amount_cents": "amount_cents + 1", "origin": "uuid()"}

        def progress(step: str) -> None:
            if step.startswith("comparing the rows"):
                forge(detached.folder / "payouts_transfer-00001.parquet", column, values[column])

        with nothing_changes(), pytest.raises(MonthNotRestored, match="payouts_transfer"):
            restore(detached, progress=progress)

    def test_without_a_record_is_refused(self, detached: Archived) -> None:
        """A folder alone is none."""
        shutil.copytree(detached.folder, detached.folder.with_name("2026-11.2"))

        with nothing_changes(), pytest.raises(ArchiveMissing, match=r"2026-11\.2"):
            restore(detached, 2)

    @pytest.mark.parametrize(
        ("claims_operator", "text"),
        [(True, "not signed by the key"), (False, "needed one of the operator's certificates")],
    )
    def test_of_somebody_elses_key_is_refused(
        self, claims_operator: bool, text: str, detached: Archived, tmp_path: Path
    ) -> None:
        """Forged rows, recorded by who may write audit records but has no export key."""
        stranger = key_in(tmp_path, "stranger")
        record_forged(detached, stranger, key_id=detached.key.key_id if claims_operator else "")

        with nothing_changes(), pytest.raises(BadArchive, match=text):
            restore(detached)

    @pytest.mark.slow
    def test_that_is_earlier_is_refused_where_rows_differ(self, removable: Archived) -> None:
        """It lacks what was decided later; detach_month has recorded the rows at the end."""
        tamper("UPDATE rounds_validation SET actor = 'another' WHERE sequence = 1")
        write(removable.folder.parent, removable.key)
        detach(removable)
        drop_parts()

        with (
            nothing_changes(),
            pytest.raises(
                MonthNotRestored, match=r"2026-11\.1, rounds_validation: found .* needed"
            ),
        ):
            restore(removable, 1)
        assert restore(removable).archive.number == 2

    @pytest.mark.slow
    def test_that_is_earlier_is_accepted_where_rows_are_the_same(self, removable: Archived) -> None:
        """If the latest is lost."""
        rows = digests(removable)
        write(removable.folder.parent, removable.key)
        detach(removable)
        drop_parts()
        shutil.rmtree(removable.folder.with_name("2026-11.2"))

        restore(removable, 1)

        assert digests(removable) == rows

    def test_that_is_earlier_is_refused_without_a_record_of_detaching(
        self, removable: Archived
    ) -> None:
        """Nothing says that it has all rows."""
        write(removable.folder.parent, removable.key)
        execute(
            "ALTER TABLE rounds_validation DETACH PARTITION rounds_validation_2026_11",
            "DROP TABLE rounds_validation_2026_11",
        )

        with nothing_changes(), pytest.raises(MonthNotRestored, match=r"needed 2026-11\.2"):
            restore(removable, 1)


def forge(path: Path, column: str, value: str) -> None:
    """Writes a Parquet file again with another value in a row."""
    forged = path.with_name("forged")
    with open_duckdb() as duck:
        duck.execute(f"CREATE TABLE rows AS FROM '{path}'")
        duck.execute(f"UPDATE rows SET {column} = {value} WHERE rowid = 0")
        duck.execute(f"COPY rows TO '{forged}' (FORMAT parquet)")
    forged.rename(path)


def record_forged(archived: Archived, stranger: SigningKey, *, key_id: str) -> None:
    """The next archive, with a cent more in a transfer, signed by a stranger and recorded."""
    folder = archived.folder.with_name("2026-11.2")
    shutil.copytree(archived.folder, folder)
    path = folder / "payouts_transfer-00001.parquet"
    forge(path, "amount_cents", "amount_cents + 1")
    file = archived.archive.table("payouts_transfer").files[0]
    content = archived.archive.to_bytes()
    for old, new in (
        (file.sha256, hashlib.sha256(path.read_bytes()).hexdigest()),
        (f'"bytes": {file.bytes}', f'"bytes": {path.stat().st_size}'),
        ('"number": 1,', '"number": 2,'),
        (archived.key.key_id, key_id or stranger.key_id),
    ):
        content = content.replace(old.encode(), new.encode())
    signature = stranger.sign(content)
    (folder / LIST_NAME).write_bytes(content)
    (folder / SIGNATURE_NAME).write_bytes(signature)
    forged = ArchiveList.from_bytes(content)
    record_entry(archive_entry(forged, content, signature), at=LATER, actor=OWNER)
