"""Migrations on a database that already holds rows which nobody may update."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection

from payouts.models import Settlement
from rounds.models import QueuedRound, Round
from rounds.rules.catalogue import rule_set
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.test_sweep import new_round, store


def columns_of(table: str) -> set[str]:
    """The columns that the database has."""
    with connection.cursor() as cursor:
        return {
            column.name for column in connection.introspection.get_table_description(cursor, table)
        }


def migrate(app: str, to: str) -> None:
    """One application, there or back."""
    call_command("migrate", app, to, verbosity=0)


@pytest.mark.usefixtures("fresh_casino")
class TestTheDigestOfTheRules:
    def test_comes_to_rows_that_were_there_before_it(self) -> None:
        """Two rounds, one settled and one waiting; then the columns go and come again."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        ingest(lines(baccarat_round("r-2")))

        migrate("payouts", "0001")
        migrate("rounds", "0002")
        assert "rules_digest" not in columns_of("rounds_round") | columns_of("payouts_settlement")
        migrate("rounds", "0003")
        migrate("payouts", "0002")

        digest = rule_set("baccarat/1").digest
        assert [bytes(row.rules_digest) for row in Round.objects.all()] == [digest, digest]
        assert bytes(Settlement.objects.get().rules_digest) == digest
        assert settle().settled == 1

    def test_leaves_the_tables_as_guarded_as_they_were(self) -> None:
        """An ordinary column that has to be given, in a table that refuses changes."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        migrate("rounds", "0002")
        migrate("rounds", "0003")

        with connection.cursor() as cursor, pytest.raises(DatabaseError, match="Cannot update"):
            cursor.execute("UPDATE rounds_round SET rules_digest = NULL")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT is_nullable, is_generated, column_default FROM information_schema.columns"
                " WHERE table_name = 'rounds_round' AND column_name = 'rules_digest'"
            )
            assert cursor.fetchone() == ("NO", "NEVER", None)

    def test_is_zero_for_a_name_that_no_catalogue_ever_had(self) -> None:
        """Nobody can say by which rules such a round was dealt; it waits as before."""
        open_table()
        new = new_round("r-1")
        store(new._replace(dealt=new.dealt._replace(rules="baccarat/0")))

        migrate("rounds", "0002")
        migrate("rounds", "0003")

        assert bytes(Round.objects.get().rules_digest) == bytes(32)
        assert settle().settled == 0
        assert QueuedRound.objects.count() == 1
