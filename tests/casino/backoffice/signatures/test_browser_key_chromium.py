"""A key in Chromium: made by WebCrypto, approved, used; nobody gets it out again."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from compliance.signatures.manage_keys import approve_key
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.people import actor_of
from payouts.cases.models import Case
from rounds.models import Customer
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.site.browser_tabs import enter, open_tab
from tests.compliance.trail.logs import KEY
from tests.payouts.cases.case_scenarios import approve, execute
from tests.query_in_thread import query_in_thread
from tests.signers import ANOTHER, give_earlier_roles, signing

pytestmark = pytest.mark.slow

_EXPORTED = """
    async () => {
      const opened = indexedDB.open("sabot-signing-keys");
      await new Promise((resolve) => { opened.onsuccess = resolve; });
      const found = opened.result.transaction("keys").objectStore("keys").getAll();
      await new Promise((resolve) => { found.onsuccess = resolve; });
      const [key] = found.result;
      const formats = ["pkcs8", "jwk", "raw"].map(
        (format) => crypto.subtle.exportKey(format, key).then(() => format, (error) => error.name),
      );
      return [found.result.length, key.extractable, ...await Promise.all(formats)];
    }
"""


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file."""


@pytest.fixture
def address(fresh_casino: str, settings: Settings) -> Iterator[str]:
    """A server of an installation that accepts keys in browsers; they sign without a delay."""
    settings.BROWSER_KEYS, settings.DECISION_DELAY = True, timedelta(0)
    for role in ("administrator", "supervisor", "compliance"):
        person(role)
    Customer.objects.create(pseudonym="p-1")
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture
def tab(address: str) -> Iterator[Page]:
    """A tab of a supervisor who has made a key, which two other persons have approved."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, "supervisor")
        tab.goto(f"{address}/admin/security/")
        tab.click("text=Add a signing key")
        tab.fill("[name=name]", "browser at the desk")
        tab.click("text=Create a key in this browser")
        tab.wait_for_selector("text=Signing key added.")
        query_in_thread(approve_by_two)
        yield tab


def approve_by_two() -> None:
    """The approvals of the key, signed and in the log."""
    administrator = actor_of(User.objects.get(username="administrator"))
    actor, now = signing(administrator.name, administrator.user_id or 0), timezone.now()
    key = SigningKey.objects.get()
    give_earlier_roles(key.person_id)
    key_id = key.pk
    for approver in (actor, ANOTHER):
        approve_key(key_id=key_id, note="seen", at=now, actor=approver)
    append_to_log(KEY, now=now)


def propose_credit(tab: Page, address: str) -> None:
    """The supervisor proposes a credit and signs."""
    tab.goto(f"{address}/admin/cases/credit/?customer=p-1")
    tab.fill("[name=amount]", "12.50")
    tab.select_option("[name=reason]", index=1)
    tab.fill("[name=text]", "An hour without a dealer.")
    tab.click("text=Propose the credit")


def test_signs_a_decision_that_the_worker_executes(tab: Page, address: str) -> None:
    """The verifiers accept what WebCrypto signed."""
    propose_credit(tab, address)
    tab.wait_for_selector("text=Proposal recorded.")

    assert query_in_thread(approve_and_execute) == [("done", None)]
    faults: list[str] = []
    query_in_thread(lambda: verify_signatures(faults.append))
    assert faults == []


def approve_and_execute() -> list[tuple[str, int | None]]:
    """A compliance officer approves the proposal that the browser signed; the worker pays."""
    case, at = Case.objects.get(), timezone.now()
    proposal = DecisionSignature.objects.get(key__is_browser=True)
    assert bytes(proposal.client_data).startswith(b'{"type":"sabot.browser","challenge":"')
    assert bytes(proposal.authenticator_data) == b""
    compliance = actor_of(User.objects.get(username="compliance"))
    approve(case, at=at, actor=signing(compliance.name, compliance.user_id or 0))
    return execute(case, at=at)


def test_does_not_leave_the_browser(tab: Page) -> None:
    """No script exports it, in any format."""
    refused = "InvalidAccessError"

    assert tab.evaluate(_EXPORTED) == [1, False, refused, refused, refused]


def test_of_another_browser_is_named_and_nothing_saved(tab: Page, address: str) -> None:
    """The same person in another profile."""
    assert tab.context.browser
    elsewhere = tab.context.browser.new_context(locale="en-GB")
    elsewhere.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    other = elsewhere.new_page()
    enter(other, address, "supervisor")

    propose_credit(other, address)

    other.wait_for_selector("text=Your signing key is in another browser.")
    assert other.input_value("[name=amount]") == "12.50"
    assert query_in_thread(Case.objects.exists) is False
