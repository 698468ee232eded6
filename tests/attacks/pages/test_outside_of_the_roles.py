"""What lay outside of the roles and limits: superusers, broken files, addresses of the inside."""

import io
import zipfile
from functools import partial
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from openpyxl import Workbook

from casino.access.auth_backend import RolePermissions
from casino.integrations import webhook_addresses
from casino.integrations.webhook_addresses import ForbiddenAddress, addresses_of
from rounds.feed import FeedError, parse_line
from tests.attacks.guards import Guard, succeeds_without
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.managing.list_forms import send
from tests.casino.backoffice.people.people import browser_of, somebody

pytestmark = pytest.mark.django_db

INSIDE: Final = (
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "fc00::1",
    "fe80::1",
    "fec0::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::1",
    "ff0e::1",
    "64:ff9b:1::a00:1",
    "4000::1",
)
"""Of networks behind the host that calls webhooks."""


def workbook(**parts: bytes) -> bytes:
    """An XLSX file with these parts instead of its own."""
    whole, broken = io.BytesIO(), io.BytesIO()
    book = Workbook()
    book.active.append(["table", "kind"])
    book.save(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            stem = name.rpartition("/")[2].partition(".")[0]
            target.writestr(name, parts.get(stem, source.read(name)))
    return broken.getvalue()


def test_an_account_of_createsuperuser_enters_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor keeps somebody a session whose account becomes one."""
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", username="root", email="r@x.it", interactive=False, verbosity=0)
    browser = Client()
    browser.post("/admin/login/", {"username": "root", "password": PASSWORD})
    desk = browser_of(somebody("supervisor", "supervisor"))
    User.objects.update(is_superuser=True)

    assert "_auth_user_id" not in browser.session
    assert desk.get("/admin/")["Location"].startswith("/admin/login/")


def test_without_the_check_of_the_account_it_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    """By nothing else."""
    attack = test_an_account_of_createsuperuser_enters_nothing
    succeeds_without(RolePermissions, "user_can_authenticate", attack, monkeypatch)


@pytest.mark.parametrize("address", INSIDE)
def test_no_webhook_reaches_the_inside(address: str) -> None:
    """By an address that a public name resolves to."""
    with pytest.raises(ForbiddenAddress):
        addresses_of(address, 443)


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_a_deeply_nested_document_is_refused(depth: int) -> None:
    """No error of the server."""
    with pytest.raises(FeedError):
        parse_line(b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    "content",
    [
        workbook()[:-30],
        workbook(sheet1=b"<worksheet>"),
        workbook(workbook=b"<a/>"),
        workbook(styles=b"<a"),
    ],
    ids=["cut", "broken sheet", "another workbook", "broken styles"],
)
def test_a_broken_workbook_is_refused(content: bytes) -> None:
    """With words instead of status 500."""
    browser = browser_of(somebody("ada", "administrator"))

    assert b"The file is neither CSV nor XLSX." in send(browser, "tables", content, "list.xlsx")


_inside: Final = test_no_webhook_reaches_the_inside
GUARDS: Final = (
    *(
        Guard(webhook_addresses._may_be_called, condition, partial(_inside, address), passing)
        for condition, address, passing in (
            ("inner.is_global", "10.0.0.1", "True"),
            ("inner.is_multicast", "ff0e::1", "False"),
            ("inner.is_reserved", "4000::1", "False"),
            ("inner in _SITE_LOCAL", "fec0::1", "False"),
        )
    ),
    Guard(
        webhook_addresses.addresses_of,
        "not _may_be_called(ip_address(text.partition('%')[0]))",
        partial(_inside, "10.0.0.1"),
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_it_is_let_in(guard: Guard, request: pytest.FixtureRequest) -> None:
    """By no other one."""
    guard.is_needed(request)
