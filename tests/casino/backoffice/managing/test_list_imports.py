"""Imports of tables, limits and reasons: a dry run first, then all lines or none."""

import io
import re
from collections.abc import Sequence

import openpyxl
import pytest
from django.test import Client

from casino.backoffice.spreadsheets.models import ListImport
from compliance.signatures.models import DecisionSignature
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reasons_in_force
from rounds.models import StakeLimitSet, Table
from rounds.services.change_table import change_table
from rounds.services.limit_stakes import limits_of_set
from rounds.services.limits_in_force import set_in_force
from tests.casino.backoffice.managing.list_forms import send
from tests.casino.backoffice.page_source import page_text
from tests.casino_in_play import limit_stakes, open_table

PAOLO = Actor("Paolo Greco", 5)


def confirm(client: Client, page: bytes) -> bytes:
    """Confirms the shown dry run."""
    [seen] = re.findall(r'name="seen" value="([0-9a-f]{64})"', page.decode())
    address = f"/admin/lists/imports/{ListImport.objects.latest('pk').pk}/"
    answer: bytes = client.post(address, {"seen": seen}, follow=True).content
    return answer


def workbook(*rows: Sequence[object]) -> bytes:
    """A workbook with these rows."""
    book, content = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    book.save(content)
    return content.getvalue()


class TestAnImportOfTables:
    def test_previews_changes_and_applies_them_when_confirmed(self, administrator: Client) -> None:
        """One new, one renamed, one unchanged; missing tables stay."""
        for code in ("bac-1", "bac-2", "bac-3"):
            open_table(code)
        rows = ["code,name,rules", "bac-1,Salon,baccarat/1", "bac-2,bac-2,baccarat/1"]
        content = "\n".join([*rows, "", "bj-1,BJ,blackjack/1"]).encode()

        page = send(administrator, "tables", content)
        before = Table.objects.count()
        confirm(administrator, page)

        words = page_text(page)
        assert "New 1 Changed 1 Removed 0 Unchanged 1 Invalid 0" in words
        assert "2 Changed bac-1 bac-1 → Salon baccarat/1" in words
        assert "5 New bj-1 BJ blackjack/1" in words
        assert before == 3
        names = dict(Table.objects.values_list("code", "name"))
        assert names == {"bac-1": "Salon", "bac-2": "bac-2", "bac-3": "bac-3", "bj-1": "BJ"}
        records = AuditRecord.objects.exclude(action__in=("LOGGED_IN",)).order_by("id")
        actions = list(records.values_list("action", flat=True))
        assert actions == ["TABLE_CHANGED", "TABLE_REGISTERED", "LIST_IMPORTED"]
        output = records.get(action="LIST_IMPORTED").details
        assert (output["file"], output["new"], output["changed"]) == ("list.csv", 1, 1)

    def test_with_an_invalid_line_applies_nothing(self, administrator: Client) -> None:
        """The error has line, field, value and what is needed; a forged confirmation is refused."""
        rows = [
            "code,name,rules",
            "bac-1,One,baccarat/1",
            "bac-2,,baccarat/7",
            "bac-1,Two,baccarat/1",
        ]

        page = send(administrator, "tables", "\n".join(rows).encode())
        seen = re.findall(r'name="seen" value="(\w+)"', page.decode())[0]
        address = f"/admin/lists/imports/{ListImport.objects.get().pk}/"
        administrator.post(address, {"seen": seen})

        words = page_text(page)
        assert "3 name empty 1 to 100 characters on one line" in words
        assert "4 code bac-1 a line that does not repeat an earlier one" in words
        assert "Confirm the import" not in words
        assert not Table.objects.exists()

    def test_that_is_outdated_is_previewed_again(self, administrator: Client) -> None:
        """The page names who changed the list meanwhile."""
        table = open_table()
        page = send(administrator, "tables", b"code,name,rules\nbac-1,Salon,baccarat/1\n")
        sent = ListImport.objects.get()
        change_table(
            table_id=table.pk,
            name="Privé",
            rules="baccarat/1",
            seen=1,
            at=sent.sent_at,
            actor=PAOLO,
        )

        moved = confirm(administrator, page)
        table.refresh_from_db()
        name_before = table.name
        confirm(administrator, moved)

        assert "have been updated since your preview" in page_text(moved)
        assert "Privé → Salon" in page_text(moved)
        assert name_before == "Privé"
        table.refresh_from_db()
        assert table.name == "Salon"

    def test_is_confirmed_once(self, administrator: Client) -> None:
        """A second confirmation names who confirmed."""
        page = send(administrator, "tables", b"code,name,rules\nbac-1,Salon,baccarat/1\n")
        confirm(administrator, page)

        again = confirm(administrator, page)

        assert "administrator confirmed this file" in page_text(again)
        assert AuditRecord.objects.filter(action="LIST_IMPORTED").count() == 1


class TestAnImportOfLimits:
    def test_takes_the_lines_of_a_table_for_its_whole_set(self, administrator: Client) -> None:
        """Missing kinds lose their limits; other tables keep theirs."""
        table, other = open_table(), open_table("bac-2")
        limit_stakes(table, player=(100, 50_000), tie=(10, 1_000))
        limit_stakes(other, player=(1, 2))
        content = "table;kind;least;most\nbac-1;player;1,00;750\nbac-1;banker;2,50;1.250,00\n"

        page = send(administrator, "limits", content.encode("cp1252"))
        confirm(administrator, page)

        words = page_text(page)
        assert "New 1 Changed 1 Removed 1 Unchanged 0 Invalid 0" in words
        assert "player 1.00 500.00 → 750.00" in words
        assert "Removed bac-1 tie 0.10 10.00" in words
        in_force = limits_of_set(set_in_force(table.pk))
        assert in_force == {"player": (100, 75_000), "banker": (250, 125_000)}
        assert StakeLimitSet.objects.filter(table=other).count() == 1

    def test_reads_numbers_of_a_workbook_as_they_are(self, administrator: Client) -> None:
        """0.1 is ten cents; 1.005 is not an amount."""
        table = open_table()
        head = ("table", "kind", "least", "most")

        wrong = send(administrator, "limits", workbook(head, ("bac-1", "tie", 1, 1.005)), "l.xlsx")
        good = workbook(head, ("bac-1", "player", 0.1, 1234.56), ("bac-1", "tie", "1,00", 2))
        confirm(administrator, send(administrator, "limits", good, "l.xlsx"))

        assert "2 most 1.005 an amount in euro" in page_text(wrong)
        in_force = limits_of_set(set_in_force(table.pk))
        assert in_force == {"player": (10, 123_456), "tie": (100, 200)}

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ("bac-9,player,1,2", "table bac-9 a registered table"),
            ("bac-1,main,1,2", "kind main one of: player"),
            ("bac-1,player,3,2", "most 2 at least the minimum stake"),
            ("bac-1,player,ten,2", "least ten an amount in euro"),
            ("bac-1,player,,2", "least empty an amount in euros"),
        ],
    )
    def test_says_what_is_wrong(self, administrator: Client, line: str, problem: str) -> None:
        """Line, column, value found and value needed."""
        open_table()

        page = send(administrator, "limits", f"table,kind,least,most\n{line}\n".encode())

        assert f"2 {problem}" in page_text(page)


class TestAnImportOfReasons:
    def test_adds_changes_and_takes_out_of_use(self, compliance: Client) -> None:
        """In Italian; the purpose of a reason cannot change."""
        head = "code,purpose,text_it,text_en,needs_regulator,is_active\n"
        new = "floods,suspension,Allagamento,Flood,no,sì\n"
        out = "equipment,suspension,Attrezzatura da verificare,Equipment to be checked,no,no\n"
        moved = "service-failure,refund,Disservizio,Service failure,no,si\n"

        wrong = send(compliance, "reasons", (head + moved).encode())
        page = send(compliance, "reasons", (head + new + out).encode())
        confirm(compliance, page)

        assert "2 purpose refund goodwill" in page_text(wrong)
        assert "is_active" in page_text(page)
        assert "yes → no" in page_text(page)
        assert Reason.objects.get(code="floods").text_it == "Allagamento"
        in_force = reasons_in_force().get(code="equipment")
        assert (in_force.is_active, in_force.version) == (False, 2)
        records = AuditRecord.objects.filter(subject__startswith="reason:")
        signed = DecisionSignature.objects.filter(record_id__in=records.values("id"))
        assert [len(row.signed_with) for row in signed] == [2, 2]
