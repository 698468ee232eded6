"""Pages of the back office by their titles."""

from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.exports.messages import ASK
from casino.backoffice.search.hits import MOST, Hit
from casino.backoffice.site.menu import shown_menu

_BEGINNING: Final = (
    (_("Report a malfunction"), "open_malfunction", PROPOSE),
    (_("Propose a goodwill credit"), "open_credit", PROPOSE),
    (_("Request an export"), "ask_export", ASK),
)
"""Pages that begin a task: title, name and permission."""


def find_pages(text: str, request: HttpRequest) -> list[Hit]:
    """Pages whose title contains each word of the text, in either language of the pages."""
    words = text.casefold().split()
    return [
        Hit(str(title), "", address)
        for title, address in _pages(request)
        if all(word in _titles(title) for word in words)
    ][:MOST]


def _titles(title: str | Promise) -> str:
    titles = []
    for language, _name in settings.LANGUAGES:
        with override(language):
            titles.append(str(title).casefold())
    return " ".join(titles)


def _pages(request: HttpRequest) -> Iterator[tuple[str | Promise, str]]:
    """Those of the menu and those that begin a task, if the person may see them."""
    for _title, items in shown_menu(request):
        for item in items:
            yield item.title, str(item.link)
    for title, name, permission in _BEGINNING:
        if request.user.has_perm(permission):
            yield title, reverse(name)
