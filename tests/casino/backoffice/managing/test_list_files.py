"""Files of lists: what is refused, what is exported, and for whom."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from django.test import Client

from casino.backoffice.spreadsheets.cells import escape_formula, unescape_formula
from casino.backoffice.spreadsheets.models import ListImport
from compliance.trail.models import AuditRecord
from rounds.models import Table
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.managing.list_forms import send
from tests.casino.backoffice.page_source import page_text
from tests.casino_in_play import limit_stakes


def export(client: Client, kind: str, form: str = "csv") -> bytes:
    """The exported list."""
    content: bytes = client.get(f"/admin/lists/{kind}/export.{form}").content
    return content


class TestAFile:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "The file is empty."),
            (b"\n \n", "The file is empty."),
            (b"code,name\n", "must contain these columns: code, name, rules"),
            (b"PK\x03\x04 no zip", "neither CSV nor XLSX"),
            (b"code,name,rules\n" + b"a,b,c\n" * 5_001, "too long"),
            (b"x" * (2 << 20) + b"y", "too large"),
        ],
        ids=["empty", "blank", "columns", "no zip", "long", "large"],
    )
    def test_that_is_no_list_is_refused(
        self, administrator: Client, content: bytes, words: str
    ) -> None:
        """The page says why."""
        assert words in page_text(send(administrator, "tables", content))
        assert not ListImport.objects.exists()

    def test_that_unpacks_to_too_much_is_refused(self, administrator: Client) -> None:
        """A workbook may be a zip bomb."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
            bomb.writestr("xl/workbook.xml", b"0" * (51 << 20))

        assert "too large" in page_text(send(administrator, "tables", packed.getvalue(), "t.xlsx"))

    def test_of_too_many_parts_is_refused(self, administrator: Client) -> None:
        """Empty ones unpack to nothing, and would each be read."""
        packed = io.BytesIO()
        openpyxl.Workbook().save(packed)
        with zipfile.ZipFile(packed, "a") as many:
            for number in range(1_000):
                many.writestr(f"xl/{number}", b"")

        assert "too large" in page_text(send(administrator, "tables", packed.getvalue(), "t.xlsx"))

    def test_reads_no_file_of_the_host(self, administrator: Client, tmp_path: Path) -> None:
        """An entity of its XML that names one is refused, and never resolved."""
        secret = tmp_path / "secret.txt"
        secret.write_text("code")
        written = io.BytesIO()
        openpyxl.Workbook().save(written)
        packed = io.BytesIO()
        head = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        cell = '<row><c t="inlineStr"><is><t>&x;</t></is></c></row>'
        with zipfile.ZipFile(written) as before, zipfile.ZipFile(packed, "w") as after:
            for name in before.namelist():
                part = before.read(name).decode()
                if name == "xl/worksheets/sheet1.xml":
                    part = head + part.replace("<sheetData>", f"<sheetData>{cell}")
                    assert "&x;" in part
                after.writestr(name, part)

        page = page_text(send(administrator, "tables", packed.getvalue(), "t.xlsx"))

        assert "neither CSV nor XLSX" in page or "The file is empty." in page
        assert not ListImport.objects.exists()

    @pytest.mark.slow
    @pytest.mark.parametrize("form", ["csv", "xlsx"])
    @pytest.mark.parametrize("language", ["it", "en"])
    def test_that_was_exported_changes_nothing_when_it_comes_back(
        self, administrator: Client, form: str, language: str
    ) -> None:
        """Formulas in names are escaped and restored."""
        administrator.cookies["django_language"] = language
        names = ["=1+1", "+39", "-x", "@a", "'=a", "'Ndrina", 'a;b,"c"', "è"]
        for number, name in enumerate(names):
            table = Table.objects.create(code=f"t-{number}", name=name, rules="baccarat/1")
            limit_stakes(table, player=(123_456, 1_234_567))

        tables, limits = (
            export(administrator, "tables", form),
            export(administrator, "limits", form),
        )
        pages = [
            send(administrator, kind, content, f"l.{form}")
            for kind, content in (("tables", tables), ("limits", limits))
        ]

        for page in pages:
            assert {"en": "No changes", "it": "Nessuna modifica"}[language] in page_text(page)
        if form == "csv":
            assert ("t-0;'=1+1;" if language == "it" else "t-0,'=1+1,") in tables.decode()
        else:
            sheet = openpyxl.load_workbook(io.BytesIO(tables)).worksheets[0]
            assert {cell.data_type for row in sheet.rows for cell in row} == {"s"}


class TestACellThatASpreadsheetWouldRun:
    @pytest.mark.parametrize(
        "text", ["=1", "+1", "-1", "@x", "\t=1", "\r1", "'=1", "''=1", "'a", ""]
    )
    def test_is_escaped_and_restored(self, text: str) -> None:
        """The apostrophe is added once and removed once."""
        assert not escape_formula(text).startswith(("=", "+", "-", "@", "\t", "\r"))
        assert unescape_formula(escape_formula(text)) == text


class TestEachRole:
    @pytest.mark.parametrize(
        ("role", "imports", "exports"),
        [
            ("administrator", {"tables", "limits"}, {"tables", "limits"}),
            ("compliance", {"reasons"}, {"tables", "limits", "reasons"}),
            ("supervisor", set[str](), {"tables", "limits", "reasons"}),
            ("auditor", set[str](), {"tables", "limits", "reasons"}),
        ],
    )
    def test_imports_and_exports_its_own(
        self, client: Client, db: None, role: str, imports: set[str], exports: set[str]
    ) -> None:
        """An auditor's exports are recorded like page views."""
        client.force_login(person(role))
        kinds = ("tables", "limits", "reasons")

        sent = {k for k in kinds if client.get(f"/admin/lists/{k}/import/").status_code == 200}
        exported = {
            k for k in kinds if client.get(f"/admin/lists/{k}/export.csv").status_code == 200
        }

        assert (sent, exported) == (imports, exports)
        views = AuditRecord.objects.filter(action="PAGE_VIEWED").count()
        assert views == (3 if role == "auditor" else 0)

    def test_does_not_open_anothers_import(self, administrator: Client) -> None:
        """403."""
        send(administrator, "tables", b"code,name,rules\nbac-1,Salon,baccarat/1\n")
        administrator.force_login(person("compliance"))

        page = f"/admin/lists/imports/{ListImport.objects.get().pk}/"

        assert administrator.get(page).status_code == 403
        assert administrator.post(page, {"seen": "x"}).status_code == 403

    def test_gets_no_unknown_list(self, administrator: Client) -> None:
        """404."""
        assert administrator.get("/admin/lists/rounds/import/").status_code == 404
        assert administrator.get("/admin/lists/tables/export.exe").status_code == 404
