"""What restore_month refuses, with nothing left behind: other files, other rows, other roles."""

import hashlib
import os
import random
import shutil
import time
from pathlib import Path

import pytest

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME, ArchiveList
from compliance.archive.months_apart import MonthInUse
from compliance.archive.parquet import open_duckdb
from compliance.archive.recorded_archives import ArchiveMissing, archive_entry
from compliance.archive.referred_rows import MAY_CHANGE
from compliance.archive.restore_month import MonthNotRestored
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import SigningKey
from compliance.storage.append_only import is_append_only
from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.managed_models import managed_models
from compliance.storage.month_tables import NotOwner
from compliance.trail.record import record_entry
from tests.compliance.archive.archived_months import LATER, MONTH, Archived, write
from tests.compliance.archive.reading_sessions import reading
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
from tests.databases import connected_as
from tests.payouts.reconciliation.five_games import tamper


@pytest.fixture
def gone(removable: Archived) -> Archived:
    """The month has left the database, and its tables are dropped."""
    detach(removable)
    drop_parts()
    return removable


class TestAnArchive:
    def test_with_a_changed_byte_in_any_file_is_refused(self, gone: Archived) -> None:
        """The file is named."""
        dice = random.Random("restore")
        for path in sorted(gone.folder.iterdir()):
            original = path.read_bytes()
            content = bytearray(original)
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
            path.write_bytes(content)
            with nothing_changes(), pytest.raises(BadArchive, match=path.name):
                restore(gone)
            path.write_bytes(original)
        restore(gone)

    @pytest.mark.parametrize("column", ["amount_cents", "origin"])
    def test_whose_file_changes_once_it_was_verified_is_refused(
        self, column: str, gone: Archived
    ) -> None:
        """Money that is forged while rows are loaded: the digest of the rows says so."""
        values = {"amount_cents": "amount_cents + 1", "origin": "uuid()"}

        def progress(step: str) -> None:
            if step.startswith("comparing the rows"):
                forge(gone.folder / "payouts_transfer-00001.parquet", column, values[column])

        with nothing_changes(), pytest.raises(MonthNotRestored, match="payouts_transfer"):
            restore(gone, progress=progress)

    def test_without_a_record_is_refused(self, gone: Archived) -> None:
        """A folder alone is none."""
        shutil.copytree(gone.folder, gone.folder.with_name("2026-11.2"))

        with nothing_changes(), pytest.raises(ArchiveMissing, match=r"2026-11\.2"):
            restore(gone, 2)

    @pytest.mark.parametrize(
        ("claims_operator", "text"),
        [(True, "not signed by the key"), (False, "needed one of the operator's certificates")],
    )
    def test_of_somebody_elses_key_is_refused(
        self, claims_operator: bool, text: str, gone: Archived, tmp_path: Path
    ) -> None:
        """Forged rows, recorded by who may write audit records but has no export key."""
        stranger = key_in(tmp_path, "stranger")
        record_forged(gone, stranger, key_id=gone.key.key_id if claims_operator else "")

        with nothing_changes(), pytest.raises(BadArchive, match=text):
            restore(gone)

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


class TestTheDatabase:
    @pytest.mark.parametrize(
        ("change", "text"),
        [
            (
                "UPDATE rounds_customer SET pseudonym = 'p-forged' WHERE id = 1",
                "rounds_customer, id 1: found pseudonym 'p-forged'; needed pseudonym 'p-",
            ),
            (
                "DELETE FROM rounds_storedruling",
                "rounds_storedruling, .*: found no row; needed that of the archive",
            ),
            (
                "UPDATE rounds_stakelimit SET max_cents = max_cents + 1 WHERE id = 1",
                "rounds_stakelimit, id 1: found max_cents '[0-9]+'; needed max_cents '",
            ),
            (
                "UPDATE rounds_table SET code = 'other' WHERE id = 1",
                "rounds_table, id 1: found code 'other'; needed code '",
            ),
        ],
    )
    def test_with_another_row_that_rounds_refer_to_is_refused(
        self, change: str, text: str, gone: Archived
    ) -> None:
        """With the table, the key, what was found and what is needed."""
        tamper(change)

        with nothing_changes(), pytest.raises(MonthNotRestored, match=text):
            restore(gone)

    def test_with_a_table_of_another_name_is_accepted(self, gone: Archived) -> None:
        """What may change for later rounds; all other rows are permanent."""
        tamper("UPDATE rounds_table SET name = 'Other', rules = 'x/1', version = 2 WHERE id = 1")

        restore(gone)

        tables = {model._meta.db_table: model for model in managed_models()}
        assert [name for name in MAY_CHANGE if is_append_only(tables[name])] == []

    @pytest.mark.parametrize(
        "change",
        [
            """
            INSERT INTO rounds_validation_2026_11
            SELECT round_id, 9, status, anomalies, validated_at, actor
              FROM rounds_validation_2026_11 WHERE sequence = 1 LIMIT 1
            """,
            "UPDATE rounds_validation_2026_11 SET status = 'validated'",
            "DELETE FROM rounds_validation_2026_11 WHERE status = 'held'",
        ],
    )
    def test_with_other_rows_in_a_detached_table_is_refused(
        self, change: str, removable: Archived
    ) -> None:
        """A row too many, too few, or another value: the owner may change a table apart."""
        detach(removable)
        execute(change)

        with (
            nothing_changes(),
            pytest.raises(MonthNotRestored, match="rounds_validation_2026_11: found rows of SHA"),
        ):
            restore(removable)

    def test_with_a_strange_trigger_on_a_detached_table_is_refused(
        self, removable: Archived
    ) -> None:
        """verify_schema would name it."""
        detach(removable)
        execute(
            "CREATE TRIGGER mine BEFORE INSERT ON rounds_bet_2026_11 FOR EACH ROW"
            " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
        )

        with nothing_changes(), pytest.raises(MonthNotRestored, match="trigger mine on rounds_bet"):
            restore(removable)

    @pytest.mark.parametrize(
        "change",
        [
            "ALTER TABLE rounds_bet_2026_11 DROP COLUMN play",
            "ALTER TABLE rounds_bet_2026_11 ADD COLUMN more int",
            "ALTER TABLE rounds_bet_2026_11 ALTER COLUMN stake_cents DROP NOT NULL",
        ],
    )
    def test_with_other_columns_of_a_detached_table_is_refused(
        self, change: str, removable: Archived
    ) -> None:
        """It cannot be a partition any more."""
        detach(removable)
        execute(change)

        with nothing_changes(), pytest.raises(MonthNotRestored, match="column"):
            restore(removable)

    def test_with_something_else_of_the_name_is_refused(self, gone: Archived) -> None:
        """A view shows what somebody else decides."""
        execute("CREATE VIEW rounds_bet_2026_11 AS SELECT * FROM rounds_bet")

        with nothing_changes(), pytest.raises(MonthNotRestored, match="rounds_bet_2026_11: found"):
            restore(gone)

    def test_with_rows_of_the_month_elsewhere_is_refused(self, gone: Archived) -> None:
        """A row that arrived meanwhile lies in the default partition."""
        execute(
            "INSERT INTO rounds_validation (round_id, sequence, status, anomalies, validated_at,"
            f" actor) VALUES ('{MONTH.first_key}', 1, 'held', '{{}}', now(), 'x')"
        )

        with nothing_changes(), pytest.raises(MonthNotRestored, match="default partition"):
            restore(gone)

    def test_that_has_the_month_is_refused(self, removable: Archived) -> None:
        """There is nothing to restore."""
        with nothing_changes(), pytest.raises(MonthNotRestored, match="needed a missing one"):
            restore(removable)

    def test_in_which_somebody_reads_is_left_after_five_seconds(self, gone: Archived) -> None:
        """Others do not wait behind a command that waits."""
        with reading("SELECT FROM rounds_bet_other"):
            began = time.monotonic()
            with nothing_changes(), pytest.raises(MonthInUse, match="found tables in use"):
                restore(gone)
            assert time.monotonic() - began < 60

        restore(gone)

    def test_in_which_another_month_is_moved_is_refused(self, gone: Archived) -> None:
        """At once."""
        with (
            reading("SELECT pg_advisory_xact_lock(hashtextextended('months apart', 0))"),
            nothing_changes(),
            pytest.raises(MonthInUse, match="found another month"),
        ):
            restore(gone)


@pytest.mark.parametrize("role", list(DatabaseRole))
def test_no_role_but_the_owner_moves_months(role: DatabaseRole, removable: Archived) -> None:
    """Named, with the one that is needed."""
    for move in (detach, restore):
        with connected_as(role, os.environ["DATABASE_URL"]), pytest.raises(NotOwner, match=role):
            move(removable)


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
