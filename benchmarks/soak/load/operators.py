"""Two people in Chromium: they read pages, propose credits and approve them with security keys."""

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from playwright.sync_api import sync_playwright

from benchmarks.soak.load.browser import NotDone, Tab
from benchmarks.soak.load.calls import Lane, Setting, Site
from benchmarks.soak.load.desk import Person
from tests.casino.backoffice.site.browser_tabs import start_chromium
from tests.query_in_thread import query_in_thread

_CASE: Final = re.compile(r"/admin/cases/(\d+)/")
_PAGES: Final = (
    "/admin/",
    "/admin/rounds/round/",
    "/admin/rounds/round/?status=held",
    "/admin/cases/",
    "/admin/disputes/",
    "/admin/stuck/",
)
_DECIDES: Final = 0.3
"""The share of steps in which they decide; in the others they read."""


class Operators(Lane):
    """One browser with a profile for each of two people."""

    def __init__(
        self,
        setting: Setting,
        people: Sequence[Person],
        *,
        approve_keys: Callable[[], None],
        pause_seconds: float,
    ) -> None:
        """``approve_keys`` has two administrators approve the keys that wait for it."""
        super().__init__("operators", setting, pause_seconds=pause_seconds)
        self._people, self._approve_keys = people, approve_keys
        self._site = Site(self, with_token=True)
        self._without_key: list[Tab] = []
        self._waiting: deque[int] = deque()
        self.approved: set[int] = set()
        """Cases whose approval was answered."""

    def run(self) -> None:
        """Until the load is over, in a browser of its own."""
        with sync_playwright() as playwright, start_chromium(playwright) as browser:
            self._proposer, self._approver = (Tab(self, browser, it) for it in self._people)
            self._without_key = [self._proposer, self._approver]
            super().run()

    def step(self) -> None:
        """A page, or a decision; what does not come to its end is noted with its calls."""
        try:
            if self._without_key:
                self._begin(self._without_key[0])
            elif self.chance.random() < _DECIDES:
                self._decide()
            else:
                self._read(self.chance.choice([self._proposer, self._approver]))
        except NotDone as error:
            self.notes.count("things in Chromium that were not done")
            self.notes.keep_failure(str(error))

    def _begin(self, tab: Tab) -> None:
        with tab.doing("login"):
            tab.log_in()
        with tab.doing("a signing key"):
            tab.register_key()
        self._without_key.remove(tab)
        if not self._without_key:
            query_in_thread(self._approve_keys)

    def _read(self, tab: Tab) -> None:
        tab.next_host()
        path = self.chance.choice(_PAGES)
        with tab.doing(f"GET {path.partition('?')[0]}"):
            tab.open(path)
            tab.page.wait_for_selector(".user-menu")
        self.notes.count("pages read in Chromium")

    def _decide(self) -> None:
        if self._waiting:
            case = self._waiting.popleft()
            try:
                self._approve(case)
            except NotDone:
                self._waiting.append(case)
                raise
        else:
            self._propose()

    def _propose(self) -> None:
        """A goodwill credit to a customer of the latest rounds."""
        tab, path = self._proposer, "/api/v1/rounds?limit=20&status=settled"
        rounds = self._site.call("GET", path, what="api GET rounds").json()["data"]
        if not rounds:
            return
        path = f"/api/v1/rounds/{self.chance.choice(rounds)['id']}/bets?limit=1"
        [bet] = self._site.call("GET", path, what="api GET bets").json()["data"] or [None]
        if bet is None:
            return
        with tab.doing("a proposal"):
            tab.confirm()
            tab.open(f"/admin/cases/credit/?customer={bet['customer']}")
            tab.page.fill("[name=amount]", "2.50")
            tab.page.select_option("[name=reason]", "service-failure")
            tab.page.fill("[name=text]", "Soak.")
            tab.page.click("text=Propose the credit")
            tab.page.wait_for_selector("text=Proposal recorded.")
        if found := _CASE.search(tab.page.url):
            self._waiting.append(int(found[1]))
            self.notes.count("cases proposed in Chromium")

    def _approve(self, case: int) -> None:
        tab, form = self._approver, "form:has([name=read])"
        with tab.doing("an approval"):
            tab.confirm()
            tab.open(f"/admin/cases/{case}/")
            tab.page.wait_for_selector(".user-menu")
            if not tab.page.locator(form).count():
                return  # it was approved, and the answer was lost
            tab.page.check("[name=read]")
            tab.page.fill(f"{form} [name=note]", "Soak.")
            tab.page.click("text=Sign and execute")
            tab.page.wait_for_selector("text=Approved. ")
        self.approved.add(case)
        self.notes.count("cases approved in Chromium")
