"""A file of many rows in Chromium: from the click to the download, with workers that are killed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import sync_playwright

from casino.backoffice.lists.models import ListFile
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from tests.casino.backoffice.cases.conftest import log_in
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino.live.test_live_browser import address
from tests.casino_in_play import NOW
from tests.processes import Worker, wait_until
from tests.query_in_thread import query_in_thread

__all__ = ["address"]

_ROWS: Final = 40_000
_PATIENCE_MS: Final = 120_000


@pytest.fixture
def idle_worker(fresh_casino: str, broker: str, tmp_path: Path) -> Iterator[Worker]:
    """A worker on the test's own database and broker, not started yet."""
    (tmp_path / "worker").mkdir()
    worker = Worker(environment=os.environ, folder=tmp_path / "worker", role=DatabaseRole.WEB)
    yield worker
    worker.stop()


def _is_begun() -> bool:
    return ListFile.objects.filter(percent__gt=0, finished_at=None).exists()


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_long_file_survives_a_killed_worker(idle_worker: Worker, address: str) -> None:
    """The open page shows the progress and then the file, which is there once and whole."""
    entries = [Entry("RECONCILED", "note:1", {})] * _ROWS
    record_entries(entries, at=NOW, actor=Actor("settlement worker"))
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        log_in(tab, address, "giulia")
        tab.goto(f"{address}/admin/trail/auditrecord/?subject=note:1&columns=about")
        tab.click(".list-tools >> text=CSV")
        tab.wait_for_selector("text=audit-records.csv")
        tab.evaluate("window.isSamePage = true")

        idle_worker.start()
        query_in_thread(lambda: wait_until(_is_begun, what="a worker begins"))
        idle_worker.kill()
        tab.wait_for_selector("tbody progress:not([value='0'])", timeout=_PATIENCE_MS)
        idle_worker.start()
        tab.wait_for_selector("tbody >> text=Download", timeout=_PATIENCE_MS)
        assert tab.evaluate("window.isSamePage")
        with tab.expect_download() as download:
            tab.click("tbody >> text=Download")
        content = Path(download.value.path()).read_text("utf-8-sig")

    assert content.splitlines() == ["About", *["note:1"] * _ROWS]
    assert ListFile.objects.get().attempts == 2
    assert AuditRecord.objects.filter(action="LIST_DOWNLOADED").count() == 1
