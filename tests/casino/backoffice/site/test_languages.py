"""Italian and English are complete, number formats included."""

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polib
import pytest
from babel.messages.extract import extract
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation.template import templatize

from rounds.formatting import euro, money
from rounds.layouts.table import lay_out_table
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from tests.casino.backoffice.conftest import page_of
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

_TRANSLATING: Final = frozenset(
    [
        "_",
        "gettext",
        "gettext_lazy",
        "gettext_noop",
        "ngettext",
        "ngettext_lazy",
        "pgettext",
        "pgettext_lazy",
    ]
)
CATALOGUE = Path(settings.LOCALE_PATHS[0], "it", "LC_MESSAGES", "django.po")


def italian() -> polib.POFile:
    """The Italian catalogue."""
    return polib.pofile(str(CATALOGUE))


def sources(root: Path) -> Iterator[Path]:
    """Source files and templates."""
    for folder in ("casino", "compliance", "payouts", "rounds"):
        yield from (root / folder).rglob("*.py")
    yield from (root / "templates").rglob("*.html")


def texts_of(file: Path) -> Iterator[tuple[str | None, str]]:
    """Context and text of each message of a file, as xgettext extracts them."""
    code = file.read_text()
    if file.suffix == ".py" and "gettext" not in code:
        return  # it can translate nothing
    if file.suffix == ".html":
        code = re.sub(r"(?m)^[ \t]+", "", templatize(code))  # indented as HTML, not as Python
    with_context = {
        f"{name}{lazy}": ((1, "c"), 2) for name in ("pgettext",) for lazy in ("", "_lazy")
    }
    plain = dict.fromkeys(_TRANSLATING - {"pgettext", "pgettext_lazy"})
    source = io.BytesIO(code.encode())
    for _line, text, _comments, context in extract("python", source, {**plain, **with_context}):
        yield context, (text[0] if isinstance(text, tuple) else text).replace("\r", "")


class TestTheItalianCatalogue:
    def test_leaves_no_text_untranslated(self) -> None:
        """Neither untranslated nor fuzzy entries."""
        catalogue = italian()

        assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
        assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
        assert catalogue.obsolete_entries() == []

    def test_is_compiled(self) -> None:
        """The compiled catalogue is up to date."""
        compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

        translations = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in compiled}
        written = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in italian()}
        assert translations == written

    def test_keeps_every_placeholder(self) -> None:
        """A missing one would be an error on the page."""
        names = re.compile(r"%\((\w+)\)s|%%[nm]|\{\}")
        lost = [
            entry.msgid
            for entry in italian()
            for text in ([entry.msgstr] if entry.msgstr else list(entry.msgstr_plural.values())[1:])
            if sorted(names.findall(text))
            != sorted(names.findall(entry.msgid_plural or entry.msgid))
        ]

        assert lost == []

    @pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
    def test_translates_every_rule(self, rules: RuleSet) -> None:
        """Each text of a rule has a translation."""
        known = {entry.msgid for entry in italian().translated_entries()}

        texts = {
            text for cited in rules.citations.values() for text in (cited.title, cited.summary)
        }
        assert texts - known == set()

    def test_translates_every_anomaly(self) -> None:
        """Each text of an anomaly has a translation."""
        known = {entry.msgid for entry in italian().translated_entries()}

        assert set(ANOMALIES.values()) - known == set()

    def test_has_every_text_of_the_code_and_no_other(self) -> None:
        """`make messages` would change nothing."""
        root = CATALOGUE.parents[4]

        used = {text for file in sources(root) for text in texts_of(file)}

        assert used == {(entry.msgctxt, entry.msgid) for entry in italian()}

    def test_has_no_text_inside_an_f_string(self) -> None:
        """They cannot be extracted."""
        root = CATALOGUE.parents[4]

        hidden = [
            f"{file.name}:{call.lineno}"
            for file in sources(root)
            if file.suffix == ".py" and "gettext" in (code := file.read_text())
            for text in ast.walk(ast.parse(code))
            if isinstance(text, ast.JoinedStr)
            for call in ast.walk(text)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id in _TRANSLATING
        ]

        assert hidden == []


class TestMoney:
    @pytest.mark.parametrize(
        ("cents", "in_italian", "in_english"),
        [
            (0, "0,00", "0.00"),
            (5, "0,05", "0.05"),
            (123_456, "1.234,56", "1,234.56"),
            (-21_008, "\N{MINUS SIGN}210,08", "\N{MINUS SIGN}210.08"),
            (100_000_000_000_000_01, "100.000.000.000.000,01", "100,000,000,000,000.01"),
        ],
    )
    def test_is_written_as_the_language_writes_it(
        self, cents: int, in_italian: str, in_english: str
    ) -> None:
        """Integer cents without floats."""
        with translation.override("it"):
            assert money(cents) == in_italian
        with translation.override("en"):
            assert money(cents) == in_english

    def test_carries_its_sign_in_headings(self) -> None:
        """After the amount in Italian, before it in English."""
        with translation.override("it"):
            assert euro(123_456) == "1.234,56\N{NO-BREAK SPACE}€"
        with translation.override("en"):
            assert euro(-123_456) == "\N{MINUS SIGN}€1,234.56"


class TestAPage:
    def test_is_italian_unless_set_otherwise(self, supervisor: Client) -> None:
        """The language cookie decides."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        del supervisor.cookies["django_language"]

        page = supervisor.get(page_of("r-1")).content.decode()

        assert "Turno #21:10:10" in page
        assert "Vince il Giocatore: 1:1" in page
        assert 'lang="it"' in page

    def test_changes_its_language_in_the_menu(self, supervisor: Client) -> None:
        """By Django's set_language."""
        supervisor.post("/i18n/setlang/", {"language": "it", "next": "/admin/"})
        italian_page = supervisor.get("/admin/").content.decode()
        supervisor.post("/i18n/setlang/", {"language": "en", "next": "/admin/"})
        english_page = supervisor.get("/admin/").content.decode()

        assert "Ultimi turni" in italian_page
        assert "Latest rounds" in english_page

    def test_has_no_inline_script(self, supervisor: Client) -> None:
        """Except for those of django-unfold."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        page = supervisor.get(page_of("r-1")).content.decode()

        content = page[page.index('<div class="page"') :].split('id="modal', maxsplit=1)[0]
        assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", content) == []
        assert re.findall(r"\son\w+=", content) == []


class TestTheTotalOfAHand:
    @pytest.mark.parametrize(
        ("cards", "total"),
        [
            (["AS", "KD"], "Blackjack"),
            (["AS", "6D"], "soft 17"),
            (["TS", "6D", "KC"], "26, bust"),
            (["AS", "6D", "KC"], "17"),
            (["7S", "7D", "7C"], "21"),
        ],
    )
    def test_is_written_as_at_the_table(self, cards: list[str], total: str) -> None:
        """An Ace counts eleven unless the hand would bust."""
        dealt = [("1", card) for card in cards]

        with translation.override("en"):
            layout = lay_out_table(dealt, boxes=7)

        assert layout.boxes[0].hands[0].total == total
