"""Queries on the archive: exact answers, and no way out of the files of the archive."""

import http.server
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from compliance.archive.query import QueryError, QueryResult, Reason, query_archive
from compliance.archive.recorded_archives import latest_archives
from compliance.archive.verify_archive import BadArchive
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from rounds.models import Bet, Customer, Round, Table
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.payouts.reconciliation.five_games import tamper

_SECRET = "a secret of the host"  # noqa: S105  no password: what a query must not find
_ATTACKS = (
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_blob('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM read_csv_auto('/etc/passwd')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_parquet('{folder}/*/*.parquet')",
    "SELECT * FROM read_text('{archive}/../../secret.csv')",
    "SELECT * FROM read_text('{archive}/archive.json')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT * FROM query('SELECT * FROM read_text(''{secret}'')')",
    "SELECT * FROM read_json('http://127.0.0.1:{port}/x')",
    "SELECT * FROM read_csv('http://127.0.0.1:{port}/x')",
    "SELECT * FROM read_parquet('s3://bucket/x')",
    "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM task",
    "SELECT * FROM postgres_scan('', 'public', 'rounds_bet')",
    "SELECT 1; SELECT * FROM read_text('{secret}')",
    "SELECT 1) TO '{folder}/out.csv'; --",
    "COPY (SELECT 1) TO '{folder}/out.csv'",
    "COPY rounds_table FROM '{secret}'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/out.db'",
    "ATTACH '' AS p (TYPE postgres)",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{secret}'",
    "SET enable_external_access = true",
    "SET allowed_paths = ['{secret}']",
    "RESET lock_configuration",
    "PRAGMA enable_external_access",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CREATE TABLE x AS SELECT 1",
    "CREATE VIEW x AS SELECT * FROM read_text('{secret}')",
    "CREATE SECRET x (TYPE s3)",
    "DROP VIEW rounds_bet",
    "UPDATE rounds_table SET name = 'x'",
    "PREPARE x AS SELECT 1",
    "EXPLAIN SELECT 1",
    "",
    ";",
    "no SQL at all",
    "SELECT " + "1, " * 5_000 + "1",
)
_TOO_MUCH = (
    "SELECT sum(a.range * b.range) FROM range(10000000000) a, range(10000000000) b",
    "SELECT repeat('x', 2000000000)",
    "SELECT list(range) FROM range(1000000000)",
    "SELECT repeat('x', 100000) FROM range(1000000)",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t",
    "SELECT a.range FROM range(100000000) a ORDER BY hash(a.range)",
)
_PERSON = Actor("Giulia Marchetti", 7)


def ask(archived: Archived, sql: str, most_rows: int = 1_000) -> QueryResult:
    """The answer to a query on every archived month."""
    return query_archive(
        sql,
        archives=latest_archives(),
        folder=archived.folder.parent,
        keys=archived.keys,
        most_rows=most_rows,
        at=timezone.now(),
        actor=_PERSON,
    )


class TestAQuery:
    def test_is_answered_by_the_archive(self, archived: Archived) -> None:
        """The same sums as the database has, although that is emptied before."""
        bets, staked = Bet.objects.count(), sum(Bet.objects.values_list("stake_cents", flat=True))
        names = sorted(Table.objects.values_list("name", flat=True))
        tamper("DELETE FROM rounds_bet")

        counted = ask(archived, "SELECT count(*) AS bets, sum(stake_cents) FROM rounds_bet")
        named = ask(archived, "SELECT name FROM rounds_table ORDER BY name COLLATE C;")
        typed = ask(archived, "SELECT max(opened_at), any_value(cards), NULL FROM rounds_round")

        assert counted.columns[0] == "bets"
        assert counted.rows == [[str(bets), str(staked)]]
        assert [name for (name,) in named.rows] == names
        [[opened_at, cards, nothing]] = typed.rows
        assert str(opened_at).endswith("+00")
        assert str(cards).startswith("{")
        assert nothing is None

    @pytest.mark.slow
    def test_reads_several_months(self, archived: Archived) -> None:
        """Rows of all months; of tables without months the row of the latest month counts."""
        names = set(Table.objects.values_list("name", flat=True))
        tamper("UPDATE rounds_table SET name = 'earlier ' || name")
        write(archived.folder.parent, archived.key, MONTH.plus(-1))

        tables = ask(archived, "SELECT name FROM rounds_table")
        rounds = ask(archived, "SELECT count(*) FROM rounds_round")

        assert [archive.name for archive in latest_archives()] == ["2026-10.1", "2026-11.1"]
        assert len(tables.rows) == len(names)
        assert {name for (name,) in tables.rows} == names
        assert rounds.rows == [[str(Round.objects.count())]]

    def test_is_recorded_with_its_person(self, archived: Archived) -> None:
        """Also one that fails, so that nobody tries unseen."""
        for sql in ("SELECT 1", "COPY (SELECT 1) TO '/tmp/x'"):
            with_error = sql.startswith("COPY")
            try:
                ask(archived, sql)
            except QueryError:
                assert with_error

        records = AuditRecord.objects.filter(action="ARCHIVE_QUERIED").order_by("id")
        assert [record.details["query"] for record in records] == [
            "SELECT 1",
            "COPY (SELECT 1) TO '/tmp/x'",
        ]
        assert {(record.actor, record.actor_user_id) for record in records} == {
            (_PERSON.name, _PERSON.user_id)
        }
        assert records[0].details["archives"] == ["2026-11.1"]

    def test_of_many_rows_is_cut_off(self, archived: Archived) -> None:
        """And says that there are more."""
        result = ask(archived, "SELECT * FROM range(100000)", most_rows=700)

        assert (len(result.rows), result.is_whole) == (700, False)
        assert ask(archived, "SELECT * FROM range(700)", most_rows=700).is_whole

    def test_reads_no_file_that_was_changed(self, archived: Archived) -> None:
        """Only the files that it needs are read."""
        file = archived.folder / archived.archive.table("rounds_bet").files[0].name
        file.write_bytes(file.read_bytes()[:-1] + b"x")

        with pytest.raises(BadArchive, match="found SHA-256"):
            ask(archived, "SELECT count(*) FROM rounds_bet")

        assert ask(archived, "SELECT count(*) FROM rounds_customer").rows == [
            [str(Customer.objects.count())]
        ]


class TestAnAttack:
    @pytest.mark.slow
    def test_is_refused(self, archived: Archived, tmp_path: Path) -> None:
        """Of files, network, settings, other statements; nothing is told of what they name."""
        secret = tmp_path / "secret.csv"
        secret.write_text(f"text\n{_SECRET}\n")
        before = sorted(tmp_path.rglob("*"))
        places = {"secret": secret, "folder": tmp_path, "archive": archived.folder}

        with _listening() as (port, requested):
            refusals = {}
            for sql in _ATTACKS:
                with pytest.raises(QueryError) as refusal:
                    ask(archived, _filled(sql, {**places, "port": port}))
                refusals[sql] = str(refusal.value)

        assert not [sql for sql, text in refusals.items() if _SECRET in text or "root:" in text]
        assert sorted(tmp_path.rglob("*")) == before
        assert requested == []

    @pytest.mark.slow
    def test_with_more_work_than_allowed_ends(
        self, archived: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In time, memory or size of the result; the process that asks lives on."""
        monkeypatch.setattr("compliance.archive.query.SECONDS", 5)

        for sql in _TOO_MUCH:
            with pytest.raises(QueryError, match=r"needed|Memory|memory"):
                ask(archived, sql)

        assert ask(archived, "SELECT 1").rows == [["1"]]

    @pytest.mark.slow
    def test_of_nothing_but_nulls_has_a_limit_as_well(self, archived: Archived) -> None:
        """150 million of them would be a gigabyte for the process that asks."""
        sql = "SELECT " + "NULL, " * 1_500 + "NULL FROM range(100000)"

        with pytest.raises(QueryError, match="found a result of more than") as refusal:
            ask(archived, sql, most_rows=100_000)

        assert refusal.value.reason == Reason.TOO_LARGE

    @pytest.mark.slow
    def test_sees_nothing_of_the_process_that_asks(
        self, archived: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Neither its environment nor its variables nor its connection."""
        monkeypatch.setenv("SECRET_KEY", _SECRET)

        settings = ask(archived, "SELECT name, value FROM duckdb_settings()")
        tables = ask(archived, "SELECT table_name FROM information_schema.tables")

        assert not [row for row in settings.rows if _SECRET in str(row)]
        assert ["lock_configuration", "true"] in settings.rows
        assert ["enable_external_access", "false"] in settings.rows
        assert tables.rows == []


@pytest.mark.usefixtures("archived")
class TestTheCommand:
    def test_prints_rows(self, archived: Archived, settings: Settings, tmp_path: Path) -> None:
        """As CSV; recorded with the account of the host."""
        settings.ARCHIVE_FOLDER = str(archived.folder.parent)
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        output = StringIO()

        call_command(
            "archive_query", "SELECT count(*) AS n, 'a;b' AS t FROM payouts_transfer", stdout=output
        )
        with pytest.raises(CommandError, match="needed a single SELECT"):
            call_command("archive_query", "PRAGMA version")
        with pytest.raises(CommandError, match="months: found no archive"):
            call_command("archive_query", "SELECT 1", "--to", "2026-10")

        assert output.getvalue() == f'n;t\n{Transfer.objects.count()};"a;b"\n'
        record = AuditRecord.objects.filter(action="ARCHIVE_QUERIED").earliest("id")
        assert record.actor.startswith("archive_query (")


def _filled(sql: str, places: Mapping[str, object]) -> str:
    """The query with the names of files and the port in place of braces."""
    for name, value in places.items():
        sql = sql.replace(f"{{{name}}}", str(value))
    return sql


@contextmanager
def _listening() -> Iterator[tuple[int, list[str]]]:
    """A web server on this machine; its port, and the addresses that it was requested for."""
    requested: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)

        do_HEAD = do_GET  # noqa: N815  the name that the library calls

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port, requested
        server.shutdown()
        thread.join()
