"""Migrations of a database of the first release."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.storage.partitions import months_of, partitioned_tables
from compliance.trail.batches import batch_of
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.models import AuditBatch, AuditRecord
from payouts.settlement.models import DailyBets, DailyRounds, Settlement
from payouts.settlement.queries import movements_of
from payouts.settlement.results_digest import digest_of, result_lines
from rounds.models import Round, RoundName
from rounds.rule_inputs import rounds_to_judge
from rounds.rules.catalogue import rule_set
from tests.books import (
    BALANCES_UNLIKE_TRANSFERS,
    SETTLED_OTHERWISE_THAN_ONCE,
    SUM_OF_ALL_BALANCES,
    rows_of,
)
from tests.casino_in_play import ingest, settle
from tests.conftest import NewTemplate
from tests.databases import migrate
from tests.documents import baccarat_round, lines
from tests.payouts.reconciliation.five_games import differences

_ROWS: Final = Path(__file__).parents[1] / "golden" / "database-of-issue-1.json"
_FIRST_RELEASE: Final = {"trail": "0001", "rounds": "0002", "payouts": "0001"}


def as_first_released() -> None:
    """A database of the first release: r-1 and r-3 settled, r-2 held, r-4 waiting."""
    for app, number in _FIRST_RELEASE.items():
        migrate(app, number)
    with connection.cursor() as cursor:
        for table, stored in json.loads(_ROWS.read_text()).items():
            columns = ", ".join(stored["columns"])
            with cursor.cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                copy.write("".join(f"{line}\n" for line in stored["lines"]))
            if stored["columns"][0] == "id" and table != "rounds_round":
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
                )
        cursor.execute("SELECT setval('rounds_arrival', max(arrival)) FROM rounds_round")


def as_of_today() -> None:
    """The same database, migrated."""
    as_first_released()
    migrate()


@pytest.fixture(scope="session")
def migrated(new_template: NewTemplate) -> str:
    """The migrated database, shared by tests that only read."""
    return new_template("migrated", as_of_today)


@pytest.fixture
def present(migrated: str, copy_of: Callable[[str], str]) -> None:
    """The same database, migrated."""
    copy_of(migrated)


def settled_round() -> Round:
    """The first settled round."""
    return Round.objects.get(reference="r-1")


@pytest.mark.slow
@pytest.mark.usefixtures("present")
class TestADatabaseOfTheFirstRelease:
    def test_keeps_its_books(self) -> None:
        """Every bet is settled once, and balances equal the transfers."""
        assert rows_of(SETTLED_OTHERWISE_THAN_ONCE) == []
        assert rows_of(BALANCES_UNLIKE_TRANSFERS) == []
        assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]

    def test_still_shows_where_a_round_s_money_went(self) -> None:
        """Transfers name the same accounts under new ids."""
        moved = [(movement.debit, movement.credit) for movement in movements_of(settled_round().id)]

        assert moved == [
            ("wallet", "stakes_held"),
            ("stakes_held", "house"),
            ("house", "customer"),
        ]

    def test_has_the_digests_of_the_rules(self) -> None:
        """Older rows get the digest of their rule set."""
        digest = rule_set("baccarat/1").digest

        assert {bytes(row.rules_digest) for row in Round.objects.all()} == {digest}
        assert {bytes(row.rules_digest) for row in Settlement.objects.all()} == {digest}

    def test_has_the_digests_of_its_results(self) -> None:
        """As of a settlement today."""
        [stored] = rounds_to_judge([settled_round().id])
        rules = rule_set("baccarat/1")
        verdict = rules.judge(stored.dealt, stored.shoe_before, stored.limits)

        settlement = Settlement.objects.get(round_id=stored.id)
        assert bytes(settlement.results_digest) == digest_of(result_lines(verdict.grades))

    def test_is_booked_on_the_days_of_play(self) -> None:
        """All four rounds were opened on the evening of 21 November 2026."""
        played_on = {date(2026, 11, 21)}

        assert set(Round.objects.values_list("booked_on", flat=True)) == played_on
        assert set(Settlement.objects.values_list("booked_on", flat=True)) == played_on

    def test_has_the_totals_of_its_days(self) -> None:
        """Two settled rounds."""
        bets = Settlement.objects.count() * len(baccarat_round("r")["bets"])

        assert [row.rounds for row in DailyRounds.objects.all()] == [2]
        assert sum(row.bets for row in DailyBets.objects.all()) == bets

    def test_has_batches_for_its_records(self) -> None:
        """An older record is a batch of its own."""
        record = AuditRecord.objects.order_by("id").first()
        assert record is not None

        batch = AuditBatch.objects.get(id=batch_of(record.id))
        assert (batch.record_count, bytes(batch.root)) == (1, root_of([bytes(record.leaf)]))
        assert AuditBatch.objects.count() == AuditRecord.objects.count()

    def test_knows_the_names_of_its_rounds(self) -> None:
        """A repeated document is known."""
        again = ingest(lines(baccarat_round("r-1")))

        assert (again.known, again.rounds) == (1, 0)
        assert RoundName.objects.count() == 4

    def test_reconciles(self) -> None:
        """Without differences."""
        assert [
            (difference.kind, difference.about, difference.found, difference.expected)
            for difference in differences()
        ] == []

    def test_continues(self) -> None:
        """Waiting and new rounds are settled."""
        ingest(lines(baccarat_round("r-5")))

        assert settle().settled == 2
        assert rows_of(BALANCES_UNLIKE_TRANSFERS) == []

    @pytest.mark.parametrize("table", ["rounds_bet", "payouts_transfer", "trail_auditrecord"])
    def test_is_as_guarded_as_it_was(self, table: str) -> None:
        """In every partition."""
        for name in (table, f"{table}_other", f"{table}_2026_11"):
            for statement in (f"DELETE FROM {table}", f"TRUNCATE {name}"):
                with (
                    pytest.raises(DatabaseError, match="pgtrigger: Cannot"),
                    transaction.atomic(),
                    connection.cursor() as cursor,
                ):
                    cursor.execute(statement)


@pytest.mark.slow
@pytest.mark.usefixtures("present")
def test_every_partitioned_table_has_its_months() -> None:
    """At least two months back and three ahead."""
    assert {table: len(months_of(table)) >= 6 for table in partitioned_tables()} == dict.fromkeys(
        partitioned_tables(), True
    )
