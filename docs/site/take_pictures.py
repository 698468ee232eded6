"""Takes the pictures of the pages: ``python -m docs.site.take_pictures``, while ``make run`` runs.

Giulia (supervisor) and Lorenzo (compliance) walk the guided tour, each in a browser. Together they
decide a malfunction and a held round, so the demo must be a new one, without earlier decisions.
"""

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Final

from playwright.sync_api import Browser, FilePayload, Page, sync_playwright
from reportlab.pdfgen.canvas import Canvas

from casino.embedded.server_paths import CLONE
from rounds.gaming_day import ROME

_PICTURES: Final = CLONE / "docs" / "images"
_ADDRESS: Final = CLONE / "var" / "running"
_PASSWORDS: Final = CLONE / "var" / "demo" / "passwords.json"
_WIDTH: Final = 1440
_HEIGHT: Final = 900
_MARGIN: Final = 12
_OUTCOMES: Final = {"Won", "Lost", "Push", "Void"}
_MOST_BETS: Final = 8
_BROKEN_TABLE: Final = "bj-1"
_BREAKDOWN: Final = timedelta(minutes=30)
_SURPLUS_CARD: Final = "tr:has-text('bac-1'):has-text('A card was dealt that no rule')"


def main() -> None:
    """Write all pictures. Exit status 1, with a message, unless a new demo runs."""
    if not _ADDRESS.exists() or not _ADDRESS.read_text():
        sys.exit("The demo is not running: make run")
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        giulia, lorenzo = _log_in(browser, "supervisor"), _log_in(browser, "compliance")
        _require_new_demo(giulia)
        _show_a_round(giulia)
        _report_a_malfunction(giulia)
        _approve_the_malfunction(lorenzo)
        held = _correct_a_held_round(giulia)
        _approve_the_correction(lorenzo, case=giulia.url, held=held)
        browser.close()


def _log_in(browser: Browser, name: str) -> Page:
    """Returns a tab of a demo user: in English, with light colours."""
    address = _ADDRESS.read_text()
    context = browser.new_context(
        base_url=address,
        locale="en-GB",
        color_scheme="light",
        viewport={"width": _WIDTH, "height": _HEIGHT},
    )
    context.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    tab = context.new_page()
    tab.goto("admin/")
    tab.fill("[name=username]", name)
    tab.fill("[name=password]", json.loads(_PASSWORDS.read_text())[name])
    tab.click("[type=submit]")
    tab.fill("[name=code]", _code_of(name))
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#find")
    tab.click("text=Close the tour")
    return tab


def _code_of(name: str) -> str:
    """Returns the code that the demo user's phone shows."""
    command = (sys.executable, "manage.py", "demo_code", name)
    return subprocess.check_output(command, cwd=CLONE, text=True).strip()  # noqa: S603  our own


def _require_new_demo(tab: Page) -> None:
    tab.goto("admin/cases/?which=all")
    if tab.locator("table.rows tbody tr:has-text('Malfunction')").count():
        sys.exit("This demo has cases already. A new one: make clean run")


def _take(tab: Page, name: str, *, down_to: str | None = None) -> None:
    """Writes the picture of a page: the first screen, or all down to an element."""
    tab.mouse.move(0, 0)
    tab.evaluate("document.activeElement.blur(); scrollTo(0, 0); document.fonts.ready")
    box = tab.locator(down_to).bounding_box() if down_to else None
    if box:
        height = int(box["y"] + box["height"]) + _MARGIN
        tab.set_viewport_size({"width": _WIDTH, "height": height})
    tab.screenshot(path=_PICTURES / f"{name}.png", animations="disabled")
    tab.set_viewport_size({"width": _WIDTH, "height": _HEIGHT})


def _show_a_round(tab: Page) -> None:
    """The latest short blackjack round with every outcome, and why its first winner is paid."""
    tab.goto("admin/rounds/round/?table=bj-1&status=settled")
    bets = "section:has(h2:text-is('Bets'))"
    for address in tab.eval_on_selector_all("a.code", "links => links.map(link => link.href)"):
        tab.goto(address)
        outcomes = tab.locator(f"{bets} .badge").all_inner_texts()
        if len(outcomes) <= _MOST_BETS and set(outcomes) == _OUTCOMES:
            break
    else:
        sys.exit("No short blackjack round on the first page has every outcome")
    tab.click("tr:has-text('Won') button.expand >> nth=0")
    _take(tab, "round", down_to=bets)


def _report_a_malfunction(tab: Page) -> None:
    """Giulia opens Today, reports a malfunction, sees the effect of a void and proposes it."""
    tab.goto("admin/")
    _take(tab, "tour-today")
    last = _time_before_the_latest_round(tab)
    tab.goto("admin/cases/malfunction/")
    tab.select_option("[name=table]", _BROKEN_TABLE)
    tab.fill("[name=first]", f"{last - _BREAKDOWN:%Y-%m-%dT%H:%M:%S}")
    tab.fill("[name=last]", f"{last:%Y-%m-%dT%H:%M:%S}")
    tab.select_option("[name=reason]", "shuffler")
    tab.fill("[name=text]", "The shuffler stopped and released shoes that were not shuffled.")
    tab.set_input_files("[name=evidence]", _evidence())
    _take(tab, "tour-malfunction")
    tab.click("text=Open the case and preview the effect")
    tab.wait_for_selector("text=Effect on customers")
    _take(tab, "tour-effect")
    tab.fill("[name=note]", "The shuffler's log shows that no shoe was shuffled.")
    tab.click("button:has-text('Propose')")
    tab.wait_for_selector("text=Proposal recorded.")


def _time_before_the_latest_round(tab: Page) -> datetime:
    """Returns the last full ten minutes, in Rome, before the broken table's latest round."""
    tab.goto(f"admin/rounds/round/?table={_BROKEN_TABLE}")
    reference = tab.inner_text("table.rows tbody tr >> nth=0").split()[-1]
    opened = datetime.strptime(reference, f"{_BROKEN_TABLE}-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return opened.replace(minute=opened.minute // 10 * 10, second=0).astimezone(ROME)


def _evidence() -> FilePayload:
    """Returns a PDF of one line."""
    file = BytesIO()
    page = Canvas(file)
    page.drawString(72, 760, f"Shuffler of {_BROKEN_TABLE}: stopped, shoe not shuffled")
    page.save()
    return FilePayload(name="shuffler-log.pdf", mimeType="application/pdf", buffer=file.getvalue())


def _approve_the_malfunction(tab: Page) -> None:
    """Lorenzo finds the case on Today and signs; the workers execute it."""
    tab.goto("admin/")
    _take(tab, "tour-approvals")
    tab.click("text=Review and sign")
    _fill_in_the_approval(tab, note="The video and the shuffler's log agree.")
    _take(tab, "tour-signature")
    _sign(tab)
    tab.click("summary:has-text('The rounds')")
    _take(tab, "tour-execution")


def _fill_in_the_approval(tab: Page, *, note: str) -> None:
    tab.check("[name=read]")
    tab.fill("form:has([name=read]) [name=note]", note)


def _sign(tab: Page) -> None:
    """Signs; returns when the case is executed. The page reloads by itself until then."""
    tab.click("text=Sign and execute")
    tab.wait_for_selector("text=Completed on")


def _correct_a_held_round(tab: Page) -> str:
    """Giulia removes a card that Banker must not draw. Returns the address of the round."""
    tab.goto("admin/rounds/round/?status=held")
    tab.click(f"{_SURPLUS_CARD} >> a.code")
    tab.wait_for_selector("text=Held: payout suspended")
    held = tab.url
    _take(tab, "tour-held")
    tab.click("text=Correct from the video")
    tab.check("[name=change][value=not_dealt]")
    tab.click("text=Preview the effect")
    tab.wait_for_selector("text=The corrected round complies with the rules.")
    tab.select_option("[name=reason]", "card-not-in-play")
    tab.fill("[name=text]", "The video shows that this card stayed in the shoe.")
    _take(tab, "tour-correction", down_to="section:has(h2:text-is('Bet by bet'))")
    tab.click("text=Propose the correction")
    tab.wait_for_selector("text=A second person must decide")
    return held


def _approve_the_correction(tab: Page, *, case: str, held: str) -> None:
    """Lorenzo signs; the round shows who corrected it."""
    tab.goto(case)
    _fill_in_the_approval(tab, note="Checked on the video as well.")
    _sign(tab)
    tab.goto(held)
    _take(tab, "tour-corrected")


if __name__ == "__main__":
    main()
