"""A tab of Chromium in which one person works, with a security key of their own."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from playwright.sync_api import Browser, Error, Response

from benchmarks.soak.load.calls import NO_ANSWER, SERVER_ERROR, Call, Lane
from benchmarks.soak.load.desk import CONFIRM, CONFIRMED_SECONDS, Person
from tests.casino.backoffice.site.browser_tabs import add_security_key

_WAIT_MS: Final = 30_000
_HOME: Final = re.compile("^[^?]*/admin/$")
"""Not the page that leads there next."""
_HOST: Final = "localhost"
"""A security key belongs to a host name, not to an address."""


class NotDone(Exception):
    """What a person began did not come to its end."""


class Tab:
    """One person's tab; each thing that they do is noted as one call."""

    def __init__(self, lane: Lane, browser: Browser, person: Person) -> None:
        self.person: Final = person
        self._lane, self._turn, self._worst, self._confirmed_at = lane, 0, 0, 0.0
        addresses = lane.setting.addresses
        self._addresses = [f"http://{_HOST}:{it.rpartition(':')[2]}" for it in addresses]
        context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
        context.add_cookies(
            [{"name": "django_language", "value": "en", "domain": _HOST, "path": "/"}]
        )
        self.page: Final = context.new_page()
        self.page.set_default_timeout(_WAIT_MS)
        self.page.on("response", self._see)
        add_security_key(self.page)

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Notes what is done within; after a failure the next thing is done at the other host.

        Raises NotDone if the browser reports an error or waits for too long.
        """
        began, started, self._worst = time.time(), time.monotonic(), 0
        try:
            yield
        except Error as error:
            self._leave()
            self._worst = max(self._worst, SERVER_ERROR) if self._worst else NO_ANSWER
            raise NotDone(f"{what} of {self.person.name}: {error.message[:500]}") from error
        finally:
            call = Call(began, f"browser {what}", time.monotonic() - started, self._worst)
            self._lane.notes.note(call)

    def _leave(self) -> None:
        """Drops what the page still sends; the next thing begins at the other host, with a code."""
        self._turn, self._confirmed_at = self._turn + 1, 0.0
        with suppress(Error):
            self.page.goto("about:blank")

    def open(self, path: str) -> None:
        """Opens a page of the host in turn."""
        self.page.goto(self._addresses[self._turn % len(self._addresses)] + path)

    def next_host(self) -> None:
        """Opens pages of the other host from now on."""
        self._turn += 1

    def log_in(self) -> None:
        """With password and phone."""
        self.open("/admin/login/?next=/admin/")
        self.page.fill("[name=username]", self.person.name)
        self.page.fill("[name=password]", self.person.password)
        self.page.click("[type=submit]")
        self._give_code()

    def confirm(self) -> None:
        """Gives a new code of the phone if the last one does not count for much longer."""
        if time.monotonic() - self._confirmed_at > CONFIRMED_SECONDS:
            self.open(f"{CONFIRM}?next=/admin/")
            if CONFIRM in self.page.url:
                self._give_code()
            else:  # the session has ended
                self.log_in()

    def _give_code(self) -> None:
        self.page.wait_for_selector("[name=code]")
        self.page.fill("[name=code]", self.person.phone.code())
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(_HOME)
        self._confirmed_at = time.monotonic()

    def register_key(self) -> None:
        """Adds the security key as a signing key; two administrators have to approve it."""
        self.open("/admin/security/")
        self.page.click("text=Add a signing key")
        self.page.fill("[name=name]", "soak")
        self.page.click("text=Create signing key")
        self.page.wait_for_selector("text=Signing key added.")

    def _see(self, response: Response) -> None:
        if response.request.is_navigation_request():
            self._worst = max(self._worst, response.status)
