"""A person at a browser: logs in with password and phone, reads pages, sends forms."""

import re
import time
from html import unescape
from threading import Lock
from typing import Final, NamedTuple

import requests

from benchmarks.soak.load.calls import Lane, Site
from casino.access.second_factor import STEP_SECONDS, phone_code

_LOGIN: Final = "/admin/login/?next=/admin/"
CONFIRM: Final = "/admin/security/confirm/"
_INPUT: Final = re.compile(r"<input[^>]*\bname=\"([^\"]+)\"[^>]*\bvalue=\"([^\"]*)\"")
_MESSAGE: Final = re.compile(r'class="[^"]*(?:error|problem)[^"]*"[^>]*>\s*([^<]{5,200})')
_OK: Final = 200
CONFIRMED_SECONDS: Final = 240
"""Of the five minutes in which a second factor counts."""


class Phone:
    """A person's phone, on which each code is valid once; shared by their browsers."""

    def __init__(self, secret: str) -> None:
        self._secret, self._lock, self._last_step = secret, Lock(), 0

    def code(self) -> str:
        """A code that was not used yet; waits for it."""
        with self._lock:
            now = int(time.time()) // STEP_SECONDS
            step = max(now, self._last_step + 1)
            self._last_step = step
        time.sleep(max(0, (step - 1) * STEP_SECONDS - time.time()))  # one step early is tolerated
        return phone_code(self._secret, step)


class Person(NamedTuple):
    """What somebody needs to log in."""

    name: str
    password: str
    phone: Phone


class Desk:
    """One person's session, which both web hosts know."""

    def __init__(self, lane: Lane, person: Person) -> None:
        self.name: Final = person.name
        self._lane, self._password, self._phone = lane, person.password, person.phone
        self._site = Site(lane)
        self._site.session.headers["Accept"] = "text/html"  # as a browser that is led to a page
        self._site.session.cookies.set("django_language", "en", domain="127.0.0.1")
        self._is_logged_in, self._confirmed_at = False, 0.0

    def page(self, path: str, *, what: str) -> str:
        """The text of a page or file, once it comes. RuntimeError if it is refused."""
        self._log_in()
        if "format=" in path:
            self._confirm()
        self._site.next_host()
        answer = self._site.call("GET", path, what=f"page {what}")
        if answer.status_code != _OK or "/admin/login/" in answer.url:
            self._is_logged_in = "/admin/login/" not in answer.url
            raise RuntimeError(f"{self.name} asks for {path}: {answer.status_code} {answer.url}")
        return answer.text

    def send(self, path: str, fields: dict[str, object], *, what: str) -> requests.Response | None:
        """The page after a form; None if the attempt failed, which is not repeated.

        A person would look first what became of it.
        """
        self._log_in()
        self._confirm()
        return self._post(path, fields, what=what)

    def _post(self, path: str, fields: dict[str, object], *, what: str) -> requests.Response | None:
        token = self._site.session.cookies.get("csrftoken", domain="127.0.0.1")
        data = {**fields, "csrfmiddlewaretoken": token}
        answer = self._site.attempt("POST", path, what=f"page {what}", data=data)
        return None if answer is None or answer.status_code != _OK else answer

    def _log_in(self) -> None:
        while not self._is_logged_in:
            self._site.call("GET", _LOGIN, what="page login")
            who = {"username": self.name, "password": self._password}
            answer = self._post(_LOGIN, dict(who), what="POST login")
            if answer is None or not self._give_code(answer.url):
                self._lane.wait(STEP_SECONDS)
                continue
            self._is_logged_in, self._confirmed_at = True, time.monotonic()

    def _give_code(self, url: str) -> bool:
        path = "/" + url.split("/", 3)[3]
        answer = self._post(path, {"code": self._phone.code()}, what="POST second step")
        return answer is not None and "second" not in answer.url and "login" not in answer.url

    def _confirm(self) -> None:
        while time.monotonic() - self._confirmed_at > CONFIRMED_SECONDS:
            fields: dict[str, object] = {"code": self._phone.code(), "next": "/admin/"}
            answer = self._post(CONFIRM, fields, what="POST confirm")
            if answer is not None and CONFIRM not in answer.url:
                self._confirmed_at = time.monotonic()
            elif self._lane.wait(STEP_SECONDS):
                return


def fields_of(page: str) -> dict[str, str]:
    """The fields of a page that have a value."""
    return {name: unescape(value) for name, value in _INPUT.findall(page)}


def values_of(page: str, name: str) -> list[str]:
    """All values of the fields with this name, in order."""
    return [unescape(value) for found, value in _INPUT.findall(page) if found == name]


def messages_in(page: str) -> str:
    """What a page says about errors, for a report."""
    return " ".join(text.strip() for text in _MESSAGE.findall(page))[:300]
