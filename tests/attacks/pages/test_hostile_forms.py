"""Every form of every page of every role, filled in with what nobody expects: no server error.

What is entered comes back escaped, and no answer leads to another site. The forms are those that
the pages show, so that a new one is attacked without being listed anywhere.
"""

import random
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from lxml import html

from benchmarks.web.list_pages import VIEWER
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import reader
from tests.casino.backoffice.role_pages import browser_of, pages_of
from tests.casino.backoffice.security.page_permissions import COLUMNS
from tests.casino.backoffice.site.invalid_addresses import NONSENSE
from tests.casino.backoffice.site.large_casino import fill
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.repetitions import repeated

_SITE: Final = "http://testserver"
_MARKUP: Final = "zq<svg/onload=alert(1)>'\"zq"
_ENTERED: Final = (
    *(text for text in NONSENSE.values() if "%" not in text and len(text) < 10_000),
    *(_MARKUP, "//other.example/", "https://other.example/", "javascript:alert(1)", "{{7*7}}"),
    *("\r\nSet-Cookie: a=b", "../../../etc/passwd", "NaN", "1e309", "+1", "1_000", "[]", "\u202e"),
)
_FILES: Final = (
    ("a" * 240 + ".csv", b"code\n\x00,\xff"),
    ("../../list.xlsx", b"PK\x03\x04broken"),
    ("feed.ndjson", b"[" * 100_000),
    ("letter.pdf", b"%PDF-1.4 and no more"),
    ("page.html", b"<script>alert(1)</script>"),
    ("empty", b""),
)


class Form(NamedTuple):
    """A form as a page shows it."""

    at: str
    method: str
    fields: list[tuple[str, str]]
    files: list[str]


@pytest.fixture
def casino(fresh_casino: str) -> None:
    """Two rows of every list, a held round and a settled one."""
    person(VIEWER)
    open_table()
    fill(0, 2)
    ingest(lines(baccarat_round("r-settled-0", session="M3"), held_baccarat_round("r-held")))
    settle()


def forms_of(role: str) -> list[Form]:
    """Those of all pages of the role, except the one that ends its session; what posts first."""
    found: dict[tuple[Any, ...], Form] = {}
    for page in pages_of(role, browser_of(role)).values():
        document: Any = html.fromstring(page.content)
        for element in document.forms:
            at = urljoin(page.at, element.action or "")
            inputs = [field for field in element.inputs if field.name]
            files = [field.name for field in inputs if field.get("type") == "file"]
            fields = [
                (field.name, str(field.get("value") or _chosen(field)))
                for field in inputs
                if field.name not in files
            ]
            form = Form(at, element.method, fields, files)
            if "logout" not in at:
                found[urlsplit(at).path, form.method, tuple(name for name, _ in fields)] = form
    return sorted(found.values(), key=lambda form: form.method != "POST")


def _chosen(field: Any) -> str:
    """What a list or a text field is filled in with."""
    is_several = field.tag == "select" and field.multiple
    return "" if is_several or field.tag == "button" else str(field.value or "")


def hostile(form: Form, chance: random.Random) -> dict[str, list[Any]]:
    """The form with one or two fields that nobody would fill in so, and perhaps one missing."""
    data: dict[str, list[Any]] = {name: [value] for name, value in form.fields}
    names = sorted(data)
    for name in chance.sample(names, min(len(names), chance.choice([1, 1, 2]))):
        data[name] = [chance.choice(_ENTERED)] * chance.choice([1, 1, 1, 2])
    if names and chance.random() < 0.1:
        del data[chance.choice(names)]
    return {**data, **with_file(form, *chance.choice(_FILES))}


def with_file(form: Form, name: str, content: bytes) -> dict[str, list[Any]]:
    """The file in each field for files."""
    return {field: [SimpleUploadedFile(name, content)] for field in form.files}


def attacks_on(forms: list[Form], chance: random.Random) -> Iterator[tuple[Form, dict[str, Any]]]:
    """Each file in each form that takes files, and then all forms, again and again."""
    for form in (form for form in forms if form.files):
        data = {name: [value] for name, value in form.fields}
        yield from ((form, {**data, **with_file(form, *file)}) for file in _FILES)
    for form in cycle(forms):
        yield form, hostile(form, chance)


def attacking(person: User) -> Client:
    """A browser of somebody who has just confirmed who they are; errors are answers."""
    browser = reader(person)
    browser.raise_request_exception = False
    return browser


def faults(answer: Any) -> Iterator[str]:
    """What is wrong with an answer."""
    if answer.status_code >= 500 and answer.status_code != 503:
        yield f"answered {answer.status_code}"
    leads_to = urlsplit(urljoin(_SITE, answer.headers.get("Location", "")))
    if (leads_to.scheme, leads_to.netloc) != tuple(urlsplit(_SITE)[:2]):
        yield f"leads to {leads_to.geturl()}"
    if "a=b" in str(answer.cookies):
        yield "sets a cookie that was entered"
    if not answer.streaming and _MARKUP.encode() in answer.content:
        yield "shows what was entered as markup"


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("role", COLUMNS[1:])
@pytest.mark.usefixtures("casino")
def test_no_form_is_a_server_error(role: str) -> None:
    """One after another, by somebody who has just confirmed who they are."""
    forms, chance = forms_of(role), random.Random(role)
    attacker = User.objects.get(username=role)
    browser = attacking(attacker)
    found = []

    for form, data in islice(attacks_on(forms, chance), repeated(1_500)):
        send = browser.get if form.method == "GET" else browser.post
        answer = send(form.at, data)
        found += [f"{form.at} with {data}: {fault}" for fault in faults(answer)]
        if "/login/" in answer.headers.get("Location", ""):
            browser = attacking(attacker)

    assert len(forms) > 20
    assert found == []
