"""The page of the archive: what is recorded, ready-made questions, queries, their limits."""

import re
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.db.models import F, Sum
from django.test import Client
from pytest_django import Settings

from casino.backoffice.archive.archive_page import MOST_FILE_ROWS, MOST_ROWS, RUNNING
from casino.backoffice.archive.questions import QUESTIONS, Question
from compliance.trail.models import AuditRecord
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.compliance.archive.archived_months import LATER, MONTH, Archived, write
from tests.compliance.trail.audit_records import audit_records

PAGE: Final = "/admin/archive/"
_FORM: Final = {"first": "2026-11", "last": "2026-11"}
_MORE: Final = MOST_FILE_ROWS + 1


def run(client: Client, sql: str, **fields: str) -> str:
    """The page after running a query."""
    answer: Any = client.post(PAGE, {**_FORM, "query": sql, **fields})
    assert answer.status_code == 200
    return str(answer.content.decode())


def errors(page: str) -> list[str]:
    """The errors at the fields."""
    found = re.findall(r'<p class="field-error" role="alert">(.*?)</p>', page, re.DOTALL)
    return [unescape(text) for text in found]


def table_of(page: str) -> list[list[str]]:
    """The result, headings first."""
    result = page.split('id="result"')[1].split("</table>", maxsplit=1)[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in result.split("<tr>")[1:]]
    return [[unescape(re.sub("<[^>]+>", "", cell)) for cell in row] for row in rows]


def answers_of(client: Client, key: str, sql: str = "") -> list[dict[str, str]]:
    """The rows of a ready-made question, as somebody gets them who clicks it and then *Run*."""
    form = client.get(f"{PAGE}?question={key}").content.decode()
    filled = unescape(form.split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]).strip()
    assert filled == next(it.sql for it in QUESTIONS if it.key == key)
    headings, *rows = table_of(run(client, sql or filled))
    return [dict(zip(headings, row, strict=True)) for row in rows]


@pytest.fixture
def auditor(on_the_host: Archived) -> Client:
    """A browser of an auditor with a recent second factor; the month is archived."""
    return reader(person("auditor"))


@pytest.fixture
def latest_bets(on_the_host: Archived) -> list[dict[str, Any]]:
    """Each bet with its result in the settlement of its round that counts, by the database."""
    latest: dict[Any, Settlement] = {}
    for settlement in Settlement.objects.order_by("sequence"):
        latest[settlement.round_id] = settlement
    results = {
        (it.round_id, it.bet_number): it
        for it in BetSettlement.objects.all()
        if latest[it.round_id].sequence == it.sequence
    }
    return [
        {
            "round": bet.round,
            "customer": bet.customer.pseudonym,
            "kind": bet.kind,
            "settlement": latest[bet.round_id],
            "staked": bet.stake_cents + bet.raised_cents,
            "paid": results[bet.round_id, bet.number].payout_cents,
            "is_void": results[bet.round_id, bet.number].outcome == "void",
        }
        for bet in Bet.objects.select_related("round", "customer")
        if (bet.round_id, bet.number) in results
    ]


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


class TestAReadyMadeQuestion:
    @pytest.mark.parametrize("question", QUESTIONS, ids=[it.key for it in QUESTIONS])
    def test_runs(self, auditor: Client, question: Question) -> None:
        """Each of them, on an archive of today's tables; a customer must be named first."""
        rows = answers_of(auditor, question.key)

        assert bool(rows) is (question.key != "customer")

    def test_of_stakes_agrees_with_the_database(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """By game, and corrected rounds once."""
        rows = answers_of(auditor, "stakes-by-game")

        expected: dict[str, list[int]] = {}
        for bet in latest_bets:
            sums = expected.setdefault(bet["settlement"].rules.split("/")[0], [0, 0])
            sums[0] += bet["staked"]
            sums[1] += bet["paid"]
        assert {
            row["game"]: [int(row["staked_cents"]), int(row["payout_cents"])] for row in rows
        } == expected
        assert {row["month"] for row in rows} == {"2026-11"}
        assert len({bet["round"].pk for bet in latest_bets}) == sum(
            int(row["rounds"]) for row in rows
        )

    def test_of_payouts_begins_with_the_largest(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """Of a customer in a round, over all bets."""
        rows = answers_of(auditor, "largest-payouts")

        paid: dict[tuple[str, str], int] = {}
        for bet in latest_bets:
            key = bet["round"].reference, bet["customer"]
            paid[key] = paid.get(key, 0) + bet["paid"]
        largest = sorted(paid.values(), reverse=True)[:100]
        assert [int(row["payout_cents"]) for row in rows] == largest
        assert all(paid[it["round"], it["customer"]] == int(it["payout_cents"]) for it in rows)

    def test_of_voids_counts_rounds_and_refunds(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """A refunded bet in a round that counts is no void round."""
        [row] = answers_of(auditor, "void-rounds")

        void = [bet for bet in latest_bets if bet["is_void"]]
        rounds = {bet["round"].pk for bet in void if bet["settlement"].kind == "void"}
        assert row == {
            "month": "2026-11",
            "void_rounds": str(len(rounds)),
            "void_bets": str(len(void)),
            "refunded_cents": str(sum([bet["paid"] for bet in void])),
        }
        assert rounds

    def test_of_corrections_names_both_persons(self, auditor: Client) -> None:
        """A correction is a later settlement of a round."""
        rows = answers_of(auditor, "corrections")

        later = [
            it
            for it in Settlement.objects.all()
            if Settlement.objects.filter(round=it.round_id, sequence__lt=it.sequence).exists()
        ]
        assert {(row["actor"], row["approved_by"]) for row in rows} == {
            (it.actor, it.approved_by) for it in later
        }
        assert sum(int(row["corrections"]) for row in rows) == len(later) > 0

    def test_of_kinds_has_their_return(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """What was paid of each 100 staked; void bets do not count."""
        rows = answers_of(auditor, "bets-by-kind")

        sums: dict[tuple[str, str], list[int]] = {}
        for bet in latest_bets:
            if not bet["is_void"]:
                total = sums.setdefault((bet["settlement"].rules, bet["kind"]), [0, 0, 0])
                for at, value in enumerate((1, bet["staked"], bet["paid"])):
                    total[at] += value
        figures = ("bets", "staked_cents", "payout_cents")
        assert {
            (row["rules"], row["kind"]): [int(row[figure]) for figure in figures] for row in rows
        } == sums
        assert all(
            abs(
                Decimal(row["return_percent"])
                - 100 * Decimal(row["payout_cents"]) / Decimal(row["staked_cents"])
            )
            <= Decimal("0.005")
            for row in rows
        )

    def test_of_a_customer_has_that_customer_s_rounds(
        self, auditor: Client, latest_bets: list[dict[str, Any]]
    ) -> None:
        """With the pseudonym in place of the word."""
        name = latest_bets[0]["customer"]
        sql = next(it.sql for it in QUESTIONS if it.key == "customer")

        rows = answers_of(auditor, "customer", sql.replace("PSEUDONYM", name))

        own = {bet["round"].reference for bet in latest_bets if bet["customer"] == name}
        assert {row["round"] for row in rows} == own
        staked = Bet.objects.filter(customer__pseudonym=name, round__reference__in=own).aggregate(
            sum=Sum(F("stake_cents") + F("raised_cents"))
        )
        assert sum(int(row["staked_cents"]) for row in rows) == staked["sum"]


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

        answer = auditor.post(PAGE, {**_FORM, "query": sql, "csv": "1"})

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
        answer = auditor.post(PAGE, {**_FORM, "query": "SELECT " + "1, " * 150 + "1", "csv": "1"})

        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.content.decode().splitlines()[1].count("1") == 151
