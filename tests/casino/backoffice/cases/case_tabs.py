"""Tabs of two persons who decide a case, for tests."""

from playwright.sync_api import Page

from tests.casino.backoffice.cases.conftest import code_on_phone_of
from tests.casino_in_play import ingest, settle
from tests.documents import lines
from tests.query_in_thread import query_in_thread


def play(*documents: object) -> list[bytes]:
    """Settles or holds these rounds; returns their feed."""
    feed = lines(*documents)
    query_in_thread(lambda: ingest(feed))
    query_in_thread(settle)
    return feed


def sign(page: Page) -> None:
    """Signs the case on its page, with a code if one is requested."""
    page.check("[name=read]")
    page.fill("form:has([name=read]) [name=note]", "Seen on the video, too.")
    if page.locator("form:has([name=read]) [name=code]").count():
        page.fill("[name=code]", code_on_phone_of("lorenzo"))
    page.click("text=Sign and execute")
    page.wait_for_selector("text=Approved. ")
