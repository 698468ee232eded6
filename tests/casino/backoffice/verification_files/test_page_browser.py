"""The page in Chromium, without a network: it judges as Sabot does, and finds what was changed."""

import gzip
import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page
from pytest_django import Settings

from compliance.exports.verification_file import page_with
from rounds.replay import replay_lines
from tests.casino.backoffice.verification_files.files import (
    key_id,
    log_and_cosign,
    made_file,
    policy,
    settled_round,
)
from tests.casino.backoffice.verification_files.page_tabs import (
    ROOT,
    built_page,
    offline_tab,
    open_file,
    shown_after,
)

pytestmark = pytest.mark.slow
_GAMES: Final = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")
_FEEDS: Final = [
    *(ROOT / f"tests/golden/{game}.ndjson" for game in _GAMES),
    *sorted((ROOT / "rounds/rules/released").glob("*.feed.ndjson.gz")),
]
_COLUMN: Final = re.compile(r"column \d+")
"""Of broken JSON; Python 3.14 points elsewhere than 3.11."""
_REPLAY: Final = """
(feed) => {
  python.globals.set("feed", feed);
  return python.runPython(`
import json
from rounds.replay import replay_lines
chr(10).join(map(json.dumps, replay_lines(feed.encode().splitlines())))
`);
}
"""


@pytest.fixture(scope="module")
def page() -> str:
    """The page without a file."""
    return built_page()


@pytest.fixture(autouse=True)
def _policy(settings: Settings) -> None:
    """The policy that ``log_and_cosign`` sets ends with the test."""
    settings.LOG_POLICY = settings.LOG_POLICY


def enter(tab: Page, known: str) -> None:
    """Enters what is known from elsewhere, and checks again."""
    tab.fill("#known", known)
    shown_after(tab, lambda: tab.click("text=Check again"))


@pytest.mark.django_db
def test_the_regulators_file_is_right_and_no_cent_can_be_changed(page: str, tmp_path: Path) -> None:
    """From the disk to the last check, in both languages, by key, by policy, and forged."""
    row = settled_round()
    log_and_cosign()
    file, known, key = made_file(row), policy(), key_id()
    with offline_tab() as tab:
        open_file(tab, tmp_path / "right.html", page_with(page, file))

        assert tab.inner_text("h2 >> nth=0") == "No difference found"
        enter(tab, key)
        assert "That key is the one that you entered." in tab.inner_text(".checks")
        enter(tab, f"log {'x' * 10}\n{known}")
        assert "What you entered is no policy" in tab.inner_text(".checks .is-differs")
        enter(tab, known)
        checks = tab.inner_text(".checks")
        assert "The witnesses of your policy have cosigned the log: witness.example/one." in checks
        assert "Settlement 1 paid €20.00: exactly what this page computed" in checks
        assert tab.inner_text(".replay-bet >> nth=0 >> dd >> nth=-1") == "€20.00"
        tab.click("[data-go=first]")
        assert tab.inner_text(".caption") == "No card dealt yet"
        shown_after(tab, lambda: tab.click("text=Italiano"))
        assert tab.inner_text("h2 >> nth=0") == "Nessuna differenza trovata"

        file["document"]["bets"][0]["stake"] = "10.01"
        open_file(tab, tmp_path / "wrong.html", page_with(page, file))
        assert "Cards, bets or times differ" in tab.inner_text(".checks")


@pytest.mark.django_db
def test_opens_the_file_of_another_page(page: str, tmp_path: Path) -> None:
    """A reader who trusts one page opens everybody's files in it; nonsense is named as such."""
    row = settled_round()
    log_and_cosign()
    others, hostile = tmp_path / "others.html", "</script><img src=x onerror='hacked = 1'>"
    file = made_file(row) | {"operator": hostile}
    others.write_text(page_with("<p>forged</p>" + page[page.index("<body") :], file))
    with offline_tab() as tab:
        open_file(tab, tmp_path / "own.html", page)
        assert tab.inner_text("#result h1") == "Verify what a casino has handed out"

        tab.set_input_files("[data-other-file]", others)
        tab.wait_for_selector("h1:has-text('Verification of round r-1')")
        assert tab.inner_text("h2 >> nth=0") == "No difference found"
        assert tab.inner_text(".replay-head .muted") == hostile
        assert not tab.evaluate("'hacked' in globalThis")

        others.write_text("<p>nothing</p>")
        tab.set_input_files("[data-other-file]", others)
        tab.wait_for_selector("h2:has-text('This file cannot be read')")


def test_judges_every_feed_as_sabot_does(page: str, tmp_path: Path) -> None:
    """The public cases, and the feeds whose verdicts are sealed: the same results, byte by byte."""
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", page)
        for feed in _FEEDS:
            zipped = feed.read_bytes()
            content = gzip.decompress(zipped) if feed.suffix == ".gz" else zipped
            results = tab.workers[0].evaluate(_REPLAY, content.decode())
            expected = "\n".join(map(json.dumps, replay_lines(content.splitlines())))
            assert _COLUMN.sub("", results) == _COLUMN.sub("", expected), feed.name


def test_judges_a_feed_that_is_opened(page: str, tmp_path: Path) -> None:
    """Whoever has the studio's feed sums up what the rules pay, and looks at any round."""
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", page)
        tab.set_input_files("[data-other-file]", _FEEDS[0])
        tab.wait_for_selector("h1:has-text('A feed, judged by this page')")
        results = replay_lines(_FEEDS[0].read_bytes().splitlines())
        first = next(result["round"] for result in results if result["status"] == "settled")
        assert tab.locator("table.totals tbody tr").count() > 0

        enter_round = tab.locator("#known")
        enter_round.fill(first)
        tab.click("text=Show the round")
        tab.wait_for_selector("[data-table-layout]")
        assert tab.locator(".replay-bet").count() > 0

        tab.locator("#known").fill("nothing")
        tab.click("text=Show the round")
        tab.wait_for_selector("text=The feed has no valid round of this name.")
