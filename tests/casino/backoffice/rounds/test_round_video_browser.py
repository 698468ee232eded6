"""The video of a round is played in the page, and a file is compared with its digest."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect, sync_playwright
from pytest_django import Settings

from tests.casino.backoffice.rounds.video_archive import VIDEO, video_archive
from tests.casino.backoffice.site.browser_tabs import open_round, open_tab
from tests.casino.backoffice.site.conftest import address

__all__ = ["address"]
_START = 3


@pytest.fixture
def page(address: str, tmp_path: Path, settings: Settings) -> Iterator[Page]:
    """A round with the reference of a video, which starts at its third second."""
    with video_archive(tmp_path) as origin, sync_playwright() as playwright:
        settings.VIDEO_ORIGINS = [origin]
        with open_tab(playwright, address, trusts_all=True) as tab:
            open_round(tab, address)
            tab.click("summary:has-text('Add a reference')")
            tab.fill("[name=reference]", f"{origin}/r-1.webm")
            tab.fill("[name=start]", str(_START))
            tab.set_input_files("[data-into] [type=file]", [as_file("r-1.webm", VIDEO)])
            expect(tab.locator("[name=sha256]")).to_have_value(sha256(VIDEO).hexdigest())
            tab.click("text=Save the reference")
            tab.wait_for_selector("video.round-video")
            tab.wait_for_load_state("networkidle")
            assert not tab.locator("[data-draft-restored]").count()
            yield tab


def as_file(name: str, content: bytes) -> FilePayload:
    """A file of this person's computer."""
    return {"name": name, "mimeType": "video/webm", "buffer": content}


def compare(tab: Page, content: bytes) -> str | None:
    """Chooses a file to be compared; gives the result."""
    tab.set_input_files(".video-check [type=file]", [as_file("copy.webm", content)])
    result = tab.locator(".video-check [data-result]")
    result.wait_for()
    return result.get_attribute("data-result")


@pytest.mark.slow
def test_a_video_is_played_from_the_start_of_the_round(page: Page) -> None:
    """By the player's own key; time and picture advance."""
    page.focus("video")
    page.keyboard.press("Space")

    page.wait_for_function(f"() => document.querySelector('video').currentTime > {_START} + 0.5")
    played = page.evaluate(
        "(({error, paused, videoWidth, played}) =>"
        " [error, paused, videoWidth, Math.round(played.start(0))])"
        "(document.querySelector('video'))"
    )
    assert played == [None, False, 320, _START]


@pytest.mark.slow
def test_a_file_is_compared_with_the_digest(page: Page) -> None:
    """A single changed byte makes it another file."""
    changed = VIDEO[:-1] + bytes([VIDEO[-1] ^ 1])

    assert [compare(page, VIDEO), compare(page, changed)] == ["same", "different"]
    said = page.locator(".video-check [role=status]")
    expect(said).to_contain_text(sha256(changed).hexdigest())
