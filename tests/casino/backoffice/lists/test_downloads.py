"""The files of the lists: what the page shows, of all rows that match."""

import csv
import io
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from benchmarks.web.list_pages import OWN_LISTS, VIEWER, admin_lists, person_for
from casino.access.roles import ADMINISTRATOR, AUDITOR, grant_roles
from casino.backoffice.site.keyset_paging import SIZE
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.control_totals import summed
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from rounds.models import ClosedDay
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at
from tests.casino.backoffice.site.large_casino import fill
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines

pytestmark = pytest.mark.django_db

RECORDS = "/admin/trail/auditrecord/"
NOON = datetime(2026, 11, 10, 11, 0, tzinfo=UTC)
_XLSX: Final = {"format": "xlsx"}
_WITHOUT_FILES: Final = {
    "archive",
    "monitor",
    "readings",
    "rule_sets",
    "sessions",
}
"""Overviews, lists as long as the code makes them, and lists with files of their own."""


def rows_of(response: Any) -> list[list[str]]:
    """The rows of a CSV, with the headings."""
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def note(number: int, subject: str) -> None:
    """A record a minute later than the one before."""
    entry = Entry("RECONCILED", subject, {})
    record_entry(entry, at=NOON + timedelta(minutes=number), actor=Actor("=cmd|' /C calc'!A0"))


class TestADownload:
    def test_has_every_matching_row_in_the_order_of_the_page(self, supervisor: Client) -> None:
        """Also those of further pages."""
        for number in range(SIZE + 2):
            note(number, f"note:{number:02}")

        query = {"action": "RECONCILED", "to": "2026-11-10", "sort": "when"}
        found = rows_of(supervisor.get(RECORDS, {**query, "format": "csv"}))

        assert found[0] == ["Record", "When", "Who", "What", "About"]
        assert [row[-1] for row in found[1:]] == [f"note:{n:02}" for n in range(SIZE + 2)]
        assert found[1][1] == "2026-11-10 12:00:00"

    def test_has_the_chosen_columns_and_evaluates_nothing(self, supervisor: Client) -> None:
        """A spreadsheet would run a cell that begins with an equals sign."""
        note(0, "note:1")

        query = {"action": "RECONCILED", "columns": ["who", "about"], "format": "csv"}
        found = rows_of(supervisor.get(RECORDS, query))

        assert found == [["Who", "About"], ["'=cmd|' /C calc'!A0", "note:1"]]

    def test_as_a_workbook_has_numbers_and_times(self, supervisor: Client) -> None:
        """10.00 staked, 20.00 paid, at noon in Rome."""
        open_table()
        ingest(lines(round_at(NOON)))
        settle()

        answer = supervisor.get(LIST, {"columns": ["opened", "staked", "paid"], "format": "xlsx"})
        [headings, row] = (
            load_workbook(io.BytesIO(answer.content)).worksheets[0].iter_rows(values_only=True)
        )

        assert headings == ("Opened", "Staked", "Paid")
        assert row == (datetime(2026, 11, 10, 12, 0), 10, 20)  # noqa: DTZ001  as spreadsheets have it

    def test_of_an_amount_has_its_rounds(self, supervisor: Client) -> None:
        """Two of three rounds; the amount is searched by other means than the filters."""
        open_table()
        dealt = [round_at(NOON + timedelta(hours=hour)) for hour in range(3)]
        dealt[1]["bets"][0]["stake"] = "70.00"
        ingest(lines(*dealt))

        found = rows_of(supervisor.get(LIST, {"amount": "10.00", "format": "csv"}))

        assert [row[-1] for row in found[1:]] == [dealt[2]["round"], dealt[0]["round"]]

    def test_is_recorded(self, supervisor: Client) -> None:
        """Who took how many rows of which list, with its filters."""
        note(0, "note:1")
        supervisor.get(RECORDS, {"subject": "note:1", "format": "xlsx"})

        record = AuditRecord.objects.get(action="LIST_DOWNLOADED")

        assert record.actor_user_id == User.objects.get(username="supervisor").pk
        assert record.details == {
            "list": "audit-records",
            "format": "xlsx",
            "filters": "subject=note%3A1",
            "rows": 1,
        }

    @pytest.mark.slow
    def test_of_too_many_days_is_refused(self, supervisor: Client) -> None:
        """A file that is cut would look complete."""
        open_table()
        ingest(lines(round_at(NOON)))
        run = begin_reconciliation(scope=EVERYTHING, at=NOON, actor=Actor("test"))
        days = [date(1990, 1, 1) + timedelta(days=number) for number in range(10_001)]
        ClosedDay.objects.bulk_create(ClosedDay(day=day) for day in days)
        totals = {"all": summed([]), "games": [], "ledger": {"cash": {}, "chips": {}}}
        closed = {"run": run, "closed_at": NOON, "actor": "test", "totals": totals, "digest": b""}
        DayClosing.objects.bulk_create(DayClosing(day=day, **closed) for day in days)

        answer = supervisor.get(reverse("days"), {"to": "2020-01-01", "format": "csv"})

        assert answer["Content-Type"].startswith("text/html")
        assert "More than 10,000 rows match. Narrow the filters" in page_html(answer)

    def test_by_an_auditor_is_allowed_and_recorded(self, client: Client) -> None:
        """Auditors read, and take what they read."""
        note(0, "note:1")
        client.force_login(person(AUDITOR))

        found = rows_of(client.get(RECORDS, {"subject": "note:1", "format": "csv"}))

        assert len(found) == 2
        assert AuditRecord.objects.get(action="LIST_DOWNLOADED").details["rows"] == 1

    def test_needs_the_permission_of_the_list(self, client: Client) -> None:
        """An administrator sees no money."""
        client.force_login(person(ADMINISTRATOR))

        assert client.get(LIST, {"format": "csv"}).status_code == 403

    def test_of_an_invalid_filter_is_the_page_that_names_it(self, supervisor: Client) -> None:
        """No file has rows that nobody asked for."""
        answer = supervisor.get(LIST, {"amount": "abc", "format": "csv"})

        assert answer["Content-Type"].startswith("text/html")


def cells_of(page: str) -> set[int]:
    """The numbers of headings and cells per row of the list, without the checkboxes."""
    table = page.split("<table")[1].split("</table", maxsplit=1)[0]
    table = re.sub("<t[hd][^>]*select-cell.*?</t[hd]>", "", table)
    return {len(re.findall("<t[hd][ >]", row)) for row in table.split("<tr")[1:]}


class TestEveryList:
    @pytest.mark.slow
    def test_has_as_many_cells_as_columns_in_page_and_files(self) -> None:
        """The cells of a template and the declared columns are two things that could differ."""
        open_table()
        grant_roles()
        browsers = {role: Client() for role in (VIEWER, ADMINISTRATOR)}
        for role, browser in browsers.items():
            browser.force_login(person(role))
        ingest(lines(round_at(NOON)))
        fill(0, 2)
        lists = {**admin_lists(), **{name: reverse(name) for name in OWN_LISTS}}

        different = {}
        for name in sorted(set(lists) - _WITHOUT_FILES):
            browser = browsers[person_for(name)]
            page = page_html(browser.get(lists[name]))
            book = load_workbook(io.BytesIO(browser.get(lists[name], _XLSX).content))
            columns = book.worksheets[0].max_column
            if cells_of(page) != {columns}:
                different[name] = (cells_of(page), columns)

        assert different == {}
