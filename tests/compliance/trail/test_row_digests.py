"""Attested rows: every change of a decision, of evidence or of a rejected document is found."""

from datetime import timedelta
from random import Random
from typing import Final

import pytest
from django.db import connection, transaction

from compliance.trail.models import AuditRecord, PendingRow
from compliance.trail.row_digests import RowFault, attested_models, verify_row_digests
from tests.casino_in_play import NOW
from tests.compliance.storage.filled_tables import fill_every_table
from tests.compliance.trail.logs import append, faults, tamper
from tests.compliance.trail.row_changes import changes_of

pytestmark = pytest.mark.django_db

_SEED: Final = 20261121


@pytest.fixture(autouse=True)
def _casino() -> None:
    """Every kind of decision, recorded."""
    fill_every_table()
    append()


def wrong() -> list[RowFault]:
    """The differences from the recorded digests."""
    return list(verify_row_digests())


class TestAttestedRows:
    @pytest.mark.slow
    def test_match_their_digests(self) -> None:
        """Also before the digests are logged."""
        assert wrong() == []
        assert PendingRow.objects.count() == 0
        assert AuditRecord.objects.filter(action="ROWS_KEPT", actor="audit log").exists()
        assert all(model._default_manager.exists() for model in attested_models())

    @pytest.mark.parametrize("share", [0.01, pytest.param(1.0, marks=pytest.mark.slow)])
    def test_cannot_be_changed_in_any_column(self, share: float) -> None:
        """Each column and a row of each table, or a share of all."""
        tables = [model._meta.db_table for model in attested_models()]
        chance, unfound, refused = Random(_SEED), [], 0
        changes = list(changes_of(tables))
        for change in chance.sample(changes, k=round(len(changes) * share)):
            before = transaction.savepoint()
            if not change.make(chance):
                refused += 1
            elif not wrong():
                unfound.append(change)
            transaction.savepoint_rollback(before)

        assert unfound == []
        assert refused < len(tables)
        assert wrong() == []

    @pytest.mark.slow
    def test_cannot_be_added_to_past_the_trigger(self) -> None:
        """Rows without a digest are reported."""
        tamper(
            "INSERT INTO exports_taxrate (game, in_force_from, per_million, decided_at, actor)"
            " SELECT 'baccarat', in_force_from, per_million, decided_at, actor FROM exports_taxrate"
        )

        [fault] = wrong()
        assert (fault.table, fault.expected) == ("exports_taxrate", None)
        assert [str(fault.kind) for fault in faults()] == ["row"]

    @pytest.mark.slow
    def test_are_reported_when_their_record_was_changed(self) -> None:
        """The leaf, the root and the rows."""
        for details in ('{"columns": 7, "rows": [1]}', '{"number": 1}', "[]", "{"):
            tamper(
                "UPDATE trail_auditrecord SET details = %s WHERE subject = 'rows:exports_taxrate'",
                details,
            )

            assert [str(fault.kind) for fault in faults()] == ["leaf", "root", "row"], details

    @pytest.mark.slow
    def test_match_after_adding_a_column(self) -> None:
        """Earlier rows are compared without it."""
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE exports_taxrate ADD COLUMN note text NOT NULL DEFAULT ''")
            cursor.execute(
                "INSERT INTO exports_taxrate (game, in_force_from, per_million, decided_at, actor,"
                " note) SELECT 'baccarat', in_force_from, per_million, decided_at, actor, 'new'"
                " FROM exports_taxrate"
            )
        append(at=NOW + timedelta(hours=1))

        assert wrong() == []
        tamper("UPDATE exports_taxrate SET note = 'x' WHERE note = 'new'")
        assert [fault.table for fault in wrong()] == ["exports_taxrate"]
