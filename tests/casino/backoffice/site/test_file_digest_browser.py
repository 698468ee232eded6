"""An auditor compares a file with the digest of a round's video, in the browser alone."""

import hashlib

import pytest
from playwright.sync_api import Page, expect

from tests.casino.backoffice.site.browser_tabs import open_round

_FILE = b"a recording"


class TestAFile:
    @pytest.mark.slow
    def test_is_compared_with_the_recorded_digest(self, page: Page, address: str) -> None:
        """The form computes the digest, and the page then tells the file from another."""
        open_round(page, address)
        page.click("summary:has-text('Add a reference')")
        page.fill("#id_reference", "archive/bj-7")
        right = {"name": "r.mp4", "mimeType": "video/mp4", "buffer": _FILE}
        wrong = {**right, "buffer": b"another"}
        page.set_input_files("[data-into] [type=file]", right)  # type: ignore[arg-type]  # a payload
        expect(page.locator("#id_sha256")).to_have_value(hashlib.sha256(_FILE).hexdigest())
        page.click(".video-form button[type=submit]")

        check = page.locator(".video-check")
        check.locator("[type=file]").set_input_files(right)  # type: ignore[arg-type]
        expect(check.locator("[role=status]")).to_contain_text("This file is the recorded one")
        check.locator("[type=file]").set_input_files(wrong)  # type: ignore[arg-type]
        expect(check.locator("[role=status]")).to_contain_text("This is another file")
