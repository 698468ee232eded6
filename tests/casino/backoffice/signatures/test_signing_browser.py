"""A signing key in Chromium, with its virtual authenticator: registered, approved, used."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from compliance.signatures.manage_keys import root_key
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.verify_signatures import verify_signatures
from rounds.models import Customer
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.site.browser_tabs import add_security_key, enter, open_tab
from tests.query_in_thread import query_in_thread
from tests.signers import HOST, give_earlier_roles, registered

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a host name, as authenticators need."""
    person("administrator")
    person("supervisor")
    payments = person("payments")
    give_phone(payments)
    registered("payments", payments.pk, at=timezone.now())
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture
def tab(address: str) -> Iterator[Page]:
    """A tab with a security key."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        add_security_key(tab)
        yield tab


@pytest.fixture
def page(address: str, tab: Page) -> Page:
    """A tab in which the administrator has logged in."""
    enter(tab, address, "administrator")
    return tab


def register_key(page: Page, address: str) -> None:
    """Registers a key of the user on the page *Security*."""
    page.goto(f"{address}/admin/security/")
    page.click("text=Add a signing key")
    page.fill("[name=name]", "key at the desk")
    page.click("text=Create signing key")
    page.wait_for_selector("text=Signing key added.")


def test_an_administrator_registers_a_key_and_approves_another(page: Page, address: str) -> None:
    """The signature that Chromium makes verifies without the server that asked for it."""
    register_key(page, address)
    query_in_thread(lambda: _approve_first_key("administrator"))

    page.goto(f"{address}/admin/people/signing-keys/")
    page.check("[name=sure]")
    page.fill("[name=reason] >> nth=0", "seen at the desk")
    page.click("text=Sign and approve")
    page.wait_for_selector("text=Decision recorded.")

    faults: list[str] = []
    summary = query_in_thread(lambda: verify_signatures(faults.append))
    assert faults == []
    assert (
        summary
        == "1 signed decisions, 0 from before signatures, 1 signing keys approved on the host"
    )


def test_a_supervisor_signs_the_proposal_of_a_credit(tab: Page, address: str) -> None:
    """The case is opened and proposed at once, under the number that was signed."""
    enter(tab, address, "supervisor")
    register_key(tab, address)
    query_in_thread(lambda: _approve_first_key("supervisor"))
    query_in_thread(lambda: Customer.objects.create(pseudonym="p-1"))

    tab.goto(f"{address}/admin/cases/credit/?customer=p-1")
    tab.fill("[name=amount]", "12.50")
    tab.select_option("[name=reason]", index=1)
    tab.fill("[name=text]", "An hour without a dealer.")
    tab.click("text=Propose the credit")
    tab.wait_for_selector("text=Proposal recorded.")

    faults: list[str] = []
    query_in_thread(lambda: verify_signatures(faults.append))
    assert faults == []
    [record] = query_in_thread(lambda: list(DecisionSignature.objects.all()))
    assert bytes(record.client_data).startswith(b'{"type":"webauthn.get"')


def test_without_a_key_in_force_nothing_is_saved(page: Page, address: str) -> None:
    """The page says why, and keeps what was entered."""
    page.goto(f"{address}/admin/people/signing-keys/")
    page.check("[name=sure]")
    page.fill("[name=reason] >> nth=0", "seen at the desk")
    page.click("text=Sign and approve")
    page.wait_for_selector("text=You have no signing key in force.")

    assert page.input_value("[name=reason] >> nth=0") == "seen at the desk"


def _approve_first_key(username: str) -> None:
    person = User.objects.get(username=username)
    give_earlier_roles(person.pk)
    key = SigningKey.objects.get(person_id=person.pk)
    root_key(key_id=key.id, at=timezone.now(), actor=HOST)
