"""Two browsers on a real web server: what one person does, another sees without a reload."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django import Settings

from compliance.trail.actor import Actor
from payouts.cases.models import Case
from payouts.cases.open_case import add_evidence
from payouts.evidence import File
from tests.casino.api.web_server import serving
from tests.casino.backoffice.cases.case_tabs import play, sign
from tests.casino.backoffice.cases.conftest import log_in
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino.notifications.people import somebody
from tests.casino_in_play import NOW, open_table
from tests.documents import baccarat_round
from tests.payouts.cases.case_scenarios import opened
from tests.query_in_thread import query_in_thread

_LETTER: Final = File("seen-on-video.pdf", b"%PDF-1.4\n")


@pytest.fixture
def address(
    fresh_casino: str, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Gunicorn with a table, a supervisor and a compliance officer."""
    settings.SECRET_KEY, settings.SOFTWARE_KEYS, settings.VAR_DIR = "of this test", True, tmp_path
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.casino.live.browser_settings")
    monkeypatch.setenv("SABOT_TEST_FOLDER", str(tmp_path))
    monkeypatch.setenv("SOFTWARE_KEYS", "on")
    monkeypatch.setenv("SIGNING_KEY_ROOTS", "any")
    open_table()
    for name, role in (("giulia", "supervisor"), ("lorenzo", "compliance")):
        person = somebody(name, role)
        person.set_password(PASSWORD)
        person.save()
        give_phone(person)
    with serving(tmp_path, processes=1) as (url, _pid):
        yield url


@pytest.fixture
def tabs(address: str) -> Iterator[tuple[Page, Page]]:
    """Tabs of Giulia and of Lorenzo, both logged in."""
    with sync_playwright() as playwright, ExitStack() as browsers:
        giulia, lorenzo = (browsers.enter_context(open_tab(playwright, address)) for _ in range(2))
        log_in(giulia, address, "giulia")
        log_in(lorenzo, address, "lorenzo")
        yield giulia, lorenzo


@pytest.mark.slow
def test_an_approved_case_appears_in_another_browser(tabs: tuple[Page, Page], address: str) -> None:
    """The list offers what is new and does not jump; the page of the case shows it.

    The menu says that the case awaits a decision, and then no more.
    """
    giulia, lorenzo = tabs
    play(baccarat_round("r-1"))
    lorenzo.goto(f"{address}/admin/cases/")
    giulia.goto(f"{address}/admin/cases/malfunction/?rounds=r-1")
    giulia.select_option("[name=reason]", "shuffler")
    giulia.fill("[name=text]", "Twice the same shoe.")
    giulia.click("text=Open the case and preview the effect")
    giulia.fill("[name=note] >> nth=0", "Seen.")
    giulia.click("button:has-text('Propose')")
    giulia.wait_for_selector("text=Proposal recorded.")
    giulia.evaluate("window.isSamePage = true")

    lorenzo.wait_for_selector(".live-offer:has-text('New or changed entries: 1')")
    assert not lorenzo.locator("tbody tr").count()
    waiting = lorenzo.locator("[data-count=case]")
    expect(waiting).to_be_visible()
    expect(waiting.locator(".sr-only")).to_have_text("1 case awaits your decision")
    lorenzo.click(".live-offer button")
    lorenzo.click("tbody a.open")
    sign(lorenzo)
    expect(waiting).to_be_hidden()

    giulia.wait_for_selector(".page-head .badge:has-text('In progress')")
    assert giulia.evaluate("window.isSamePage")
    giulia.wait_for_selector("#live-said:text-is('The page was updated.')", state="attached")


@pytest.mark.slow
def test_what_somebody_is_writing_stays(tabs: tuple[Page, Page], address: str) -> None:
    """The page says that it has changed, and a click keeps the entries."""
    giulia, _lorenzo = tabs
    play(baccarat_round("r-1"))
    case: Case = query_in_thread(lambda: opened("malfunction", "r-1"))
    giulia.goto(f"{address}/admin/cases/{case.pk}/")
    giulia.fill("[name=note] >> nth=0", "I am still writing")

    query_in_thread(lambda: add_evidence(case=case, file=_LETTER, at=NOW, actor=Actor("Marco")))
    giulia.wait_for_selector(".live-offer")
    before = giulia.locator("[name=note]").first.input_value()
    giulia.click(".live-offer button")

    giulia.wait_for_selector("text=seen-on-video.pdf")
    assert before == giulia.locator("[name=note]").first.input_value() == "I am still writing"
