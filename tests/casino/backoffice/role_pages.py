"""The pages that a role of the back office reaches, found by their links."""

import re
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, resolve

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.security.page_permissions import COLUMNS, declared

_LINK: Final = re.compile(r'<a [^>]*?href="(/[^"#]*)')
_CONTENT: Final = re.compile(r"<main.*</main>", re.DOTALL)
_TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


class RolePage(NamedTuple):
    """A page as a role sees it."""

    at: str
    content: str
    """Without menu, top bar and the token of its forms, which differs on each request."""


def browser_of(role: str) -> Client:
    """A browser in which a person of this role has logged in, in English."""
    browser = Client()
    browser.force_login(User.objects.filter(username=role).first() or person(role))
    browser.cookies["django_language"] = "en"
    return browser


def pages_of(role: str, browser: Client) -> dict[str, RolePage]:
    """A page of every route of the role: those without an object, and all to which they link."""
    column = COLUMNS.index(role)
    ready = [
        f"/{route}"
        for route, marks in declared().items()
        if marks[column].startswith("p") and not re.search(r"[<(]|logout", route)
    ]
    pages: dict[str, RolePage] = {}
    while ready:
        at = ready.pop()
        if (route := route_of(at)) in pages or not route.startswith("admin/"):
            continue
        answer = browser.get(at)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            html = answer.content.decode()
            [content] = _CONTENT.findall(html)
            pages[route] = RolePage(at, _TOKEN.sub("", content))
            ready += [link.replace("&amp;", "&") for link in _LINK.findall(html)]
    return pages


def route_of(at: str) -> str:
    """The address with the names of its parameters, empty if there is no such page."""
    try:
        return str(resolve(at.partition("?")[0]).route)
    except Resolver404:
        return ""
