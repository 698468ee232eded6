"""A signing key in Chromium, with its virtual authenticator: registered, approved, used."""

from collections.abc import Iterator
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import CDPSession, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from compliance.signatures.manage_keys import root_key
from compliance.signatures.models import SigningKey
from compliance.signatures.verify_signatures import verify_signatures
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.site.browser_tabs import enter, open_tab
from tests.query_in_thread import query_in_thread
from tests.signers import HOST, registered

pytestmark = pytest.mark.slow

_DEVICE: Final = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a host name, as authenticators need."""
    person("administrator")
    payments = person("payments")
    give_phone(payments)
    registered("payments", payments.pk, at=timezone.now())
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab in which the administrator has logged in."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, "administrator")
        yield tab


@pytest.fixture
def device(page: Page) -> CDPSession:
    """The tab's security key."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})
    return device


def test_an_administrator_registers_a_key_and_approves_another(
    page: Page, address: str, device: CDPSession
) -> None:
    """The signature that Chromium makes verifies without the server that asked for it."""
    page.goto(f"{address}/admin/security/")
    page.click("text=Add a signing key")
    page.fill("[name=name]", "key at the desk")
    page.click("text=Create signing key")
    page.wait_for_selector("text=Signing key added.")
    query_in_thread(_approve_first_key)

    page.goto(f"{address}/admin/people/signing-keys/")
    page.check("[name=sure]")
    page.fill("[name=reason] >> nth=0", "seen at the desk")
    page.click("text=Sign and approve")
    page.wait_for_selector("text=Decision recorded.")

    faults: list[str] = []
    summary = query_in_thread(lambda: verify_signatures(faults.append))
    assert faults == []
    assert summary == "1 signed decisions, 1 signing keys approved on the host"


def test_without_a_key_in_force_nothing_is_saved(
    page: Page, address: str, device: CDPSession
) -> None:
    """The page says why, and keeps what was entered."""
    page.goto(f"{address}/admin/people/signing-keys/")
    page.check("[name=sure]")
    page.fill("[name=reason] >> nth=0", "seen at the desk")
    page.click("text=Sign and approve")
    page.wait_for_selector("text=You have no signing key in force.")

    assert page.input_value("[name=reason] >> nth=0") == "seen at the desk"


def _approve_first_key() -> None:
    administrator = User.objects.get(username="administrator")
    key = SigningKey.objects.get(person_id=administrator.pk)
    root_key(key_id=key.id, at=timezone.now(), actor=HOST)
