"""Two persons send a bundle to the regulator in Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from compliance.exports.models import BundleStep
from compliance.exports.reports import REPORTS
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope, one_day
from compliance.exports.services.enqueue_export import enqueue_export
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.exports.bundle_steps import work
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.site.browser_tabs import enter, leave, open_tab
from tests.casino_in_play import NOW, open_table
from tests.compliance.exports.day_closings import HOUR, log, verifier_output
from tests.compliance.exports.exported_days import CLERK
from tests.payouts.gaming_days.day_scenarios import DAY, NOON, arrive, close, dealt, settle_at
from tests.query_in_thread import query_in_thread

_CUT = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"


@pytest.fixture
def address(fresh_casino: str, tmp_path: Path) -> Iterator[str]:
    """A server with two bundles and two persons who may sign."""
    for role in ("supervisor", "compliance"):
        give_phone(person(role))
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    close()
    log()
    enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
    enqueue_export(of=Scope(DAY, DAY, contents=COMPLIANCE_REPORTS), at=NOW, actor=CLERK)
    work(tmp_path)
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


def sign(tab: Page, address: str) -> None:
    """Opens the bundle of the day, reviews and signs it."""
    tab.goto(f"{address}/admin/exports/")
    tab.click("table >> text=000001")
    tab.check("[name=read]")
    tab.click("form[action$='/sign/'] button")


@pytest.mark.slow
def test_a_bundle_goes_to_the_regulator(address: str, tmp_path: Path) -> None:
    """Two sign; one downloads and sends it, and stores the answer."""
    receipt = tmp_path / "receipt.pdf"
    receipt.write_bytes(b"%PDF-1.7 protocol 9")
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, "supervisor")
        sign(tab, address)
        tab.wait_for_selector("text=A second signature is required.")
        leave(tab)
        enter(tab, address, "compliance")
        sign(tab, address)
        tab.wait_for_selector("text=Signed by two persons. The bundle can be sent.")
        with tab.expect_download() as download:
            tab.click("text=Download")
        bundle = tmp_path / "bundle.zip"
        download.value.save_as(bundle)
        output = verifier_output(bundle, tmp_path)
        tab.fill("form[action$='/send/'] [name=reference]", "PEC 12/2026")
        tab.click("text=Mark as sent")
        tab.fill("form[action$='/answer/'] [name=reference]", "ADM 9/2026")
        tab.set_input_files("[name=papers]", receipt)
        tab.click("form[action$='/answer/'] [value=received]")
        tab.wait_for_selector("text=Answer recorded.")
        stands = tab.inner_text("h1 + .badge")
        steps = query_in_thread(
            lambda: list(BundleStep.objects.order_by("sequence").values_list("action"))
        )

    assert "The registers agree with the rounds and the gross win of the closings." in output
    assert stands == "Acknowledged"
    assert steps == [("signed",), ("signed",), ("sent",), ("received",)]


@pytest.mark.slow
def test_no_page_of_it_is_cut_on_a_tablet(address: str) -> None:
    """In portrait; only tables scroll."""
    pages = [
        "",
        "new/",
        "runs/1/",
        "bundles/",
        "bundles/1/",
        "bundles/1/registers/bets/",
        "bundles/2/",
        *(f"reports/{report.key}/?first_day={DAY}&last_day=2026-12-01" for report in REPORTS),
    ]
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.set_viewport_size({"width": 820, "height": 1180})
        enter(tab, address, "compliance")
        cut = []
        for page in pages:
            answer = tab.goto(f"{address}/admin/exports/{page}")
            assert answer is not None
            assert answer.status == 200, page
            if tab.evaluate(_CUT):
                cut.append(page)

    assert cut == []
