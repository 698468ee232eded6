"""Limits, imports and uploads in Chromium: concurrent edits, a wrong file, a long feed."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from rounds.models import StakeLimitSet, Table
from rounds.models.upload import FeedUpload
from rounds.services.limit_stakes import limits_of_set
from rounds.services.limits_in_force import set_in_force
from rounds.uploads.ingest_upload import ingest_batch
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.site.browser_tabs import enter, open_tab
from tests.casino_in_play import limit_stakes, open_table
from tests.documents import baccarat_round, lines
from tests.query_in_thread import query_in_thread


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a table with limits, a supervisor and an administrator."""
    person("supervisor")
    person("administrator")
    limit_stakes(open_table(), player=(100, 50_000), tie=(10, 1_000))
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.mark.slow
def test_concurrent_changes_of_limits_do_not_overwrite_each_other(address: str) -> None:
    """The second person sees the former, the current and the typed values."""
    form = f"{address}/admin/tables/{Table.objects.get().pk}/limits/"
    with sync_playwright() as playwright, open_tab(playwright, address) as first:
        enter(first, address, "administrator")
        second = first.context.new_page()
        for tab, most in ((first, "600"), (second, "700")):
            tab.goto(form)
            tab.fill("[name=most-player]", most)
            tab.click("button:has-text('Preview changes')")
            tab.wait_for_selector("tr.is-changed:has-text('Player')")
        first.click("button:has-text('Apply limits')")
        first.wait_for_selector("text=Limits in force. They apply")

        second.click("button:has-text('Apply limits')")
        second.wait_for_selector("text=changed the limits")
        row = second.inner_text("tr:has([name=most-player])")
        typed = second.input_value("[name=most-player]")
        between = query_in_thread(StakeLimitSet.objects.count)
        second.click("button:has-text('Preview changes')")
        second.click("button:has-text('Apply limits')")
        second.wait_for_selector("text=Limits in force. They apply")

    assert "500.00" in row
    assert "600.00" in row
    assert typed == "700"
    assert between == 2
    table = Table.objects.get()
    assert limits_of_set(set_in_force(table.pk))["player"] == (100, 70_000)


@pytest.mark.slow
def test_an_import_shows_what_is_wrong_and_then_what_would_change(
    address: str, tmp_path: Path
) -> None:
    """Line 3 names an unknown table; the corrected file is confirmed."""
    head, good = "table,kind,least,most", "bac-1,player,1.00,750.00"
    wrong, right = tmp_path / "wrong.csv", tmp_path / "right.csv"
    wrong.write_text(f"{head}\n{good}\nbac-9,player,1,2")
    right.write_text(f"{head}\n{good}")
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, "administrator")
        tab.goto(f"{address}/admin/lists/limits/import/")
        tab.set_input_files("[name=file]", wrong)
        tab.click("button:has-text('Preview changes')")
        tab.wait_for_selector("h2:has-text('Invalid lines')")
        output = tab.inner_text("section:has(h2:text('Invalid lines')) tbody tr")
        buttons = tab.locator("button:has-text('Confirm the import')").count()

        tab.click("text=Upload another file")
        tab.set_input_files("[name=file]", right)
        tab.click("button:has-text('Preview changes')")
        changed = tab.inner_text("tr:has(.badge:text('Changed'))")
        tab.click("button:has-text('Confirm the import')")
        tab.wait_for_selector("text=All lines of the file are in force.")

    assert output.split("\t") == ["3", "table", "bac-9", "a registered table"]
    assert buttons == 0
    assert "500.00 → 750.00" in changed
    in_force = limits_of_set(set_in_force(Table.objects.get().pk))
    assert in_force == {"player": (100, 75_000)}


@pytest.mark.slow
def test_an_upload_shows_its_progress_until_it_is_ingested(address: str, tmp_path: Path) -> None:
    """Waiting, half done, done; the page reloads itself."""
    documents = [baccarat_round(f"r-{number}") for number in range(1_000)]
    feed = tmp_path / "night.ndjson"
    feed.write_bytes(b"\n".join(lines(*documents)) + b"\n")
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, "supervisor")
        tab.goto(f"{address}/admin/payouts/feedupload/")
        tab.set_input_files("[name=file]", feed)
        tab.click("button:has-text('Upload and ingest')")
        tab.wait_for_selector(".badge:has-text('Waiting')")
        upload = query_in_thread(FeedUpload.objects.get)
        query_in_thread(lambda: ingest_batch(upload.pk, now=timezone.now))
        tab.wait_for_selector(".badge:has-text('In progress')")
        half = tab.inner_text(".progress-panel")
        query_in_thread(lambda: ingest_batch(upload.pk, now=timezone.now))
        tab.wait_for_selector(".badge:has-text('Ingested')")
        figures = tab.inner_text(".facts >> nth=0")

    assert "500 lines" in half
    assert "1,000" in figures


@pytest.mark.slow
def test_no_page_is_cut(address: str) -> None:
    """No element overflows on a tablet, in both languages."""
    table = Table.objects.get().pk
    pages = {
        "administrator": (
            "rounds/table/",
            f"rounds/table/{table}/change/",
            "tables/new/",
            f"tables/{table}/",
            f"tables/{table}/limits/",
            "lists/limits/import/",
        ),
        "supervisor": ("payouts/feedupload/", f"rounds/table/{table}/change/", "payouts/reason/"),
    }
    cut = []
    with sync_playwright() as playwright:
        for role, addresses in pages.items():
            with open_tab(playwright, address) as tab:
                enter(tab, address, role)
                for language, width, page in product(("it", "en"), (820, 1440), addresses):
                    tab.context.add_cookies(
                        [{"name": "django_language", "value": language, "url": address}]
                    )
                    tab.set_viewport_size({"width": width, "height": 900})
                    tab.goto(f"{address}/admin/{page}")
                    cut += [(language, width, page, element) for element in tab.evaluate(_CUT)]

    assert cut == []


_CUT = (
    "[...document.querySelectorAll('html, .scroll, .actions, .form-body')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"
)
