"""The page of the archive: what is recorded, queries, their limits."""

import re
from html import unescape
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.test import Client
from pytest_django import Settings

from casino.backoffice.archive.archive_page import MOST_FILE_ROWS, MOST_ROWS, RUNNING
from compliance.trail.models import AuditRecord
from rounds.models import Round
from tests.casino.backoffice.archive.archive_reader import FORM, PAGE, errors, run, table_of
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.compliance.archive.archived_months import LATER, MONTH, Archived, write
from tests.compliance.trail.audit_records import audit_records

_MORE: Final = MOST_FILE_ROWS + 1


class TestTheList:
    def test_names_what_is_recorded(self, on_the_host: Archived) -> None:
        """The latest of a month counts; the key is that of the certificate."""
        write(on_the_host.folder.parent, on_the_host.key)

        text = plain(reader(person("compliance")), PAGE)

        rows = f"{sum(file.rows for file in on_the_host.archive.files):,}"
        assert re.search(r"2026-11 counts for its month 2 5 Dec, 01:00 [\d,]+ [\d.]+.KB", text)
        assert re.search(rf"2026-11 1 5 Dec, 01:00 {rows} ", text)
        assert text.count(on_the_host.key.key_id[:16]) == 2
        assert on_the_host.recorded.written_at == LATER

    @pytest.mark.usefixtures("fresh_casino")
    def test_says_how_to_write_one(self) -> None:
        """There is nothing to query before."""
        client = reader(person("auditor"))

        page = client.get(PAGE).content.decode()

        assert "The command archive_month, on the host with the export key, writes" in page
        assert "<textarea" not in page

    @pytest.mark.parametrize(
        ("setting", "text"),
        [
            ("ARCHIVE_FOLDER", "This web host has no folder of the archive."),
            ("EXPORT_KEY", "This web host has no certificate of the operator."),
        ],
    )
    def test_says_what_the_host_lacks(
        self, auditor: Client, settings: Settings, tmp_path: Path, setting: str, text: str
    ) -> None:
        """On the page, and to a form that was open before; nothing is recorded as asked."""
        setattr(settings, setting, str(tmp_path / "nowhere"))

        page, answer = auditor.get(PAGE).content.decode(), run(auditor, "SELECT 1")

        assert text in page
        assert "<textarea" not in page
        assert text in answer
        assert audit_records("ARCHIVE_QUERIED") == []

    @pytest.mark.usefixtures("fresh_casino")
    @pytest.mark.parametrize("role", ["supervisor", "payments", "administrator"])
    def test_is_for_compliance_and_auditors(self, role: str) -> None:
        """Others see no page, no entry in the menu, and run nothing."""
        client = reader(person(role))

        codes = [client.get(PAGE).status_code, client.post(PAGE, {"query": "x"}).status_code]

        assert codes == [403, 403]
        assert PAGE not in client.get("/admin/").content.decode()


class TestAQueryOnThePage:
    def test_is_shown_with_column_names(self, auditor: Client) -> None:
        """Values are text, never markup; null is not the empty text."""
        sql = "SELECT count(*) AS n, '<b>x</b>' AS \"<i>\", NULL AS z, '' AS e FROM rounds_round"

        page = run(auditor, sql)

        assert table_of(page) == [
            ["n", "<i>", "z", "e"],
            [str(Round.objects.count()), "<b>x</b>", "NULL", ""],
        ]
        assert "<b>x</b>" not in page
        assert sql in unescape(page)

    def test_says_that_there_are_more_rows(self, auditor: Client) -> None:
        """The page shows as many as it says."""
        page = run(auditor, f"SELECT * FROM range({MOST_ROWS + 1})")

        assert len(table_of(page)) == MOST_ROWS + 1
        assert f"Showing the first {MOST_ROWS} rows. There are more" in page
        assert "There are more" not in run(auditor, f"SELECT * FROM range({MOST_ROWS})")
        assert "The query has no rows." in run(auditor, "SELECT * FROM range(0)")

    def test_is_recorded_with_its_person(self, auditor: Client) -> None:
        """Before it runs, so also one that fails; with the text as it was written."""
        run(auditor, "SELECT 1,\r\n 2")
        run(auditor, "DROP VIEW rounds_bet")

        records = AuditRecord.objects.filter(action="ARCHIVE_QUERIED").order_by("id")
        assert [it.details["query"] for it in records] == [
            "SELECT 1,\n 2",
            "DROP VIEW rounds_bet",
        ]
        assert [it.details["archives"] for it in records] == [["2026-11.1"]] * 2
        assert {it.actor for it in records} == {"auditor"}
        assert None not in {it.actor_user_id for it in records}

    @pytest.mark.parametrize(
        ("sql", "text"),
        [
            ("", "This field is required."),
            ("  ", "This field is required."),
            ("DROP VIEW rounds_bet", "Only a single SELECT statement is run."),
            ("SELECT 1; SELECT 2", "Only a single SELECT statement is run."),
            ("SELECT " + "1, " * 5_000 + "1", "The query is too long."),
            ("SELECT * FROM nothing", "DuckDB refuses the query: Catalog Error"),
            ("SELECT * FROM '/etc/passwd'", "DuckDB refuses the query: "),
            ("SELECT repeat('x', 100000) FROM range(1000)", "The result is too large."),
            ("SELECT list(range) FROM range(1000000000)", "The query needs more than 30 seconds"),
            ("SELECT " + "1, " * 100 + "1", "The result has 101 columns. The page shows at most"),
        ],
    )
    def test_that_fails_says_why_at_its_field(self, auditor: Client, sql: str, text: str) -> None:
        """And stays in the field, to be corrected."""
        page = run(auditor, sql)

        [error] = errors(page)
        assert error.startswith(text)
        assert "root:" not in page
        assert 'id="result"' not in page
        if sql.strip():
            assert f">\n{sql}</textarea>" in unescape(page)

    @pytest.mark.slow
    def test_that_takes_too_long_says_so(
        self, auditor: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whether it was stopped by its time or by its memory."""
        monkeypatch.setattr("compliance.archive.query.SECONDS", 1)

        page = run(auditor, "SELECT sum(a.range) FROM range(100000000000) a")

        assert errors(page)[0].startswith("The query needs more than 30 seconds or 512 MB.")

    def test_refuses_months_in_the_wrong_order_or_not_archived(
        self, on_the_host: Archived, auditor: Client
    ) -> None:
        """At the field of the month; nothing runs."""
        write(on_the_host.folder.parent, on_the_host.key, MONTH.plus(-1))

        turned = run(auditor, "SELECT 1", first="2026-11", last="2026-10")
        unknown = run(auditor, "SELECT 1", first="2026-09", last="../../etc")

        assert errors(turned) == ["The last month is before the first month."]
        assert [text.startswith("Select a valid choice.") for text in errors(unknown)] == [True] * 2
        assert audit_records("ARCHIVE_QUERIED") == []

    def test_reads_no_file_that_was_changed(self, on_the_host: Archived, auditor: Client) -> None:
        """The error names the file."""
        file = on_the_host.folder / on_the_host.archive.table("rounds_bet").files[0].name
        file.write_bytes(file.read_bytes()[:-1] + b"x")

        page = run(auditor, "SELECT count(*) FROM rounds_bet")

        assert errors(page)[0].startswith(
            "The files are not those that were recorded: rounds_bet-00001.parquet: found SHA-256"
        )

    def test_waits_for_no_other(self, month: str, auditor: Client) -> None:
        """One query runs at a time: two of 30 seconds would hold both threads of a web process."""
        with psycopg.connect(month, autocommit=True) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [RUNNING])
            refused = run(auditor, "SELECT 1")
            refused_file = run(auditor, "SELECT 1", csv="1")
        recorded = audit_records("ARCHIVE_QUERIED")

        text = "Another query is running. Try again in half a minute."
        assert errors(refused) == errors(refused_file) == [text]
        assert recorded == []
        assert table_of(run(auditor, "SELECT 1 AS n")) == [["n"], ["1"]]

    def test_leaves_its_lock_after_an_error(self, month: str, auditor: Client) -> None:
        """Otherwise nobody could ask until the connection ends."""
        run(auditor, "SELECT * FROM nothing")

        with psycopg.connect(month, autocommit=True) as other:
            taken = other.execute(
                "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [RUNNING]
            ).fetchone()
        assert taken == (True,)

    def test_cuts_long_values(self, auditor: Client) -> None:
        """200 rows of 100,000 characters would be a page of 20 MB."""
        page = run(auditor, "SELECT repeat('x', 100000) AS long FROM range(200)")

        assert {len(value) for (value,) in table_of(page)[1:]} == {300}
        assert len(page) < 200_000

    def test_is_run_in_italian(self, auditor: Client) -> None:
        """Texts and errors."""
        auditor.cookies["django_language"] = "it"

        page = run(auditor, "DROP VIEW rounds_bet")

        assert errors(page) == ["Si esegue soltanto una singola istruzione SELECT."]
        assert "Domande pronte" in page
        assert "Archivi registrati" in page


class TestTheFile:
    def test_has_the_rows_as_csv(self, auditor: Client) -> None:
        """No value becomes a formula of a spreadsheet; numbers stay numbers."""
        sql = """SELECT -5 AS n, '=1+1' AS "=x", '-2+3|cmd' AS t, NULL AS z, 'a;b' AS s"""

        answer = auditor.post(PAGE, {**FORM, "query": sql, "csv": "1"})

        assert answer.content.decode().splitlines() == [
            "n;'=x;t;z;s",
            "-5;'=1+1;'-2+3|cmd;;\"a;b\"",
        ]
        assert answer["Content-Disposition"] == (
            'attachment; filename="archive-2026-11-2026-11.csv"'
        )
        [(actor, _subject, taken)] = audit_records("LIST_DOWNLOADED")
        assert (actor, taken["list"], taken["rows"]) == ("auditor", "archive", 1)
        assert taken["filters"] == "first=2026-11&last=2026-11"
        assert len(audit_records("ARCHIVE_QUERIED")) == 1

    def test_of_too_many_rows_is_not_made(self, auditor: Client) -> None:
        """A file that is cut would look complete."""
        page = run(auditor, f"SELECT * FROM range({_MORE})", csv="1")

        assert errors(page) == [
            "The result has more than 100,000 rows. No file was made: it would be cut."
        ]
        assert audit_records("LIST_DOWNLOADED") == []

    def test_has_all_columns(self, auditor: Client) -> None:
        """The limit of columns is one of the page."""
        answer = auditor.post(PAGE, {**FORM, "query": "SELECT " + "1, " * 150 + "1", "csv": "1"})

        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.content.decode().splitlines()[1].count("1") == 151
