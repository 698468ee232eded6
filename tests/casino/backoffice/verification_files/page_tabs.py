"""The page of verification files in Chromium, without a network, for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Request, sync_playwright

from casino.backoffice.verification_files.page import build_page
from tests.casino.backoffice.site.browser_tabs import start_chromium

ROOT: Final = Path(__file__).parents[4]
_PYODIDE: Final = ROOT / ".venv/browser-python/flet_web/web/pyodide"
_PATIENCE_MS: Final = 180_000


def built_page() -> str:
    """The page without a file."""
    return build_page(_PYODIDE)


@contextmanager
def offline_tab(*, is_silent: bool = True) -> Iterator[Page]:
    """A tab without a network; a script's error, or a call of another address, fails the test.

    So does a text on the console, if the page has to be silent.
    """
    errors: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith(("file:", "blob:", "data:")):
            errors.append(request.url)

    with sync_playwright() as playwright:
        browser = start_chromium(playwright)
        context = browser.new_context(locale="en-GB", offline=True)
        tab = context.new_page()
        tab.set_default_timeout(_PATIENCE_MS)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        if is_silent:
            tab.on("console", lambda message: errors.append(message.text))
        tab.on("request", note)
        yield tab
        browser.close()
    assert errors == []


def open_file(tab: Page, path: Path, text: str) -> None:
    """Opens the page from the disk, and waits until its file is checked."""
    path.write_text(text)
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-ready]")


def shown_after(tab: Page, action: Callable[[], object]) -> None:
    """Acts, and waits until the page shows something else, or the same again."""
    before = tab.get_attribute("html", "data-ready")
    action()
    tab.wait_for_function(
        "(before) => document.documentElement.dataset.ready !== before", arg=before
    )


def verify_files(tab: Page, *files: Path, **entered: str) -> None:
    """Opens files, enters what is known by the names of the fields, and lets them be verified."""
    if tab.locator("[data-start-over]").count():
        shown_after(tab, lambda: tab.click("[data-start-over]"))
    shown_after(tab, lambda: tab.set_input_files("[data-other-file]", list(files)))
    for name, text in entered.items():
        tab.fill(f"[name={name}]", text)
    tab.click("[data-verify] [type=submit]")


def verified(tab: Page, *files: Path, **entered: str) -> list[str]:
    """The lines of the report, once these files are verified."""
    verify_files(tab, *files, **entered)
    tab.wait_for_selector(".verdict")
    return tab.locator("[data-line]").all_inner_texts()
