"""A key in the browser is registered on a page, where BROWSER_KEYS allows it, and signs forms."""

import json
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.signatures.assertions import base64url
from compliance.signatures.models import SigningKey, SigningKeyStep
from tests.browser_keys import BrowserKey, browser_answer_of
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.people.people import somebody
from tests.casino.backoffice.second_factors import CONFIRM, code_of, question_of
from tests.casino.backoffice.signatures.test_signing_keys import PAGE, address_of, prepare
from tests.signers import Person, registered, rooted

pytestmark = pytest.mark.django_db

REGISTER: Final = "/admin/security/signing-key/"
OFFER: Final = "Create a key in this browser"
NOT_USABLE: Final = "The browser did not create a usable signing key."


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file."""


@pytest.fixture(autouse=True)
def _accepted(settings: Settings) -> None:
    """An installation that accepts keys in browsers."""
    settings.BROWSER_KEYS = True


@pytest.fixture
def ada(db: None) -> User:
    """An administrator."""
    return somebody("ada", "administrator", email="ada@casino.example")


@pytest.fixture
def browser(ada: User) -> Client:
    """Her browser, on a host that supports keys; she has given her second factor."""
    browser = Client(headers={"host": "localhost"})
    browser.force_login(ada)
    browser.cookies["django_language"] = "en"
    browser.post(CONFIRM, {"code": code_of(ada)})
    return browser


@pytest.fixture
def key() -> BrowserKey:
    """The key that her browser makes."""
    return BrowserKey.generate()


def challenge_in(browser: Client) -> str:
    """The challenge of the page."""
    challenge: str = json.loads(question_of(browser, REGISTER))["publicKey"]["challenge"]
    return challenge


def send(browser: Client, answer: str) -> str:
    """The page after a key was sent."""
    form = {"name": "desk", "browser_key": answer}
    return page_html(browser.post(REGISTER, form, follow=True))


class TestAKey:
    def test_is_registered_by_a_signature_of_the_challenge(
        self, browser: Client, key: BrowserKey, ada: User
    ) -> None:
        """With its kind and site; it waits for another person."""
        page = send(browser, key.register(challenge_in(browser)))

        row = SigningKey.objects.get()
        assert "Signing key added. Two other persons must approve it." in page
        assert "Key in a browser" in page
        assert (row.public, row.is_browser, row.person_id) == (key.public, True, ada.pk)
        assert bytes(row.credential_id) == key.credential_id

    def test_is_registered_once_by_a_challenge(self, browser: Client, key: BrowserKey) -> None:
        """A replayed form, another challenge, or none."""
        challenge = challenge_in(browser)
        send(browser, BrowserKey.generate().register(challenge))

        for stale in (challenge, base64url(bytes(32))):
            assert NOT_USABLE in send(browser, key.register(stale))
        assert SigningKey.objects.count() == 1

    @pytest.mark.parametrize("change", ["key", "ceremony", "origin", "point", "none"])
    def test_that_does_not_prove_its_possession_is_refused(
        self, browser: Client, key: BrowserKey, change: str
    ) -> None:
        """Another key's proof, a decision's, another site's; no point of the curve, no JSON."""
        challenge = challenge_in(browser)
        if change == "origin":
            key.origin = "https://sab0t.example"
        answer: dict[str, Any] = json.loads(key.register(challenge))
        if change == "key":
            answer["publicKey"] = base64url(BrowserKey.generate().point)
        elif change == "ceremony":
            answer |= json.loads(browser_answer_of(key.answer(challenge)))
        elif change == "point":
            answer["publicKey"] = base64url(b"\4" + bytes(64))

        page = send(browser, "" if change == "none" else json.dumps(answer))

        assert NOT_USABLE in page
        assert not SigningKey.objects.exists()

    def test_is_neither_offered_nor_registered_without_the_setting(
        self, browser: Client, key: BrowserKey, settings: Settings
    ) -> None:
        """The default."""
        assert OFFER in plain(browser, REGISTER)
        settings.BROWSER_KEYS = False
        assert OFFER not in plain(browser, REGISTER)

        page = send(browser, key.register(challenge_in(browser)))

        assert "Keys in browsers are not accepted here." in page
        assert not SigningKey.objects.exists()

    def test_is_named_to_the_person_who_approves_it(self, browser: Client, key: BrowserKey) -> None:
        """On the page, above the form."""
        clerk = somebody("clerk", "payments")
        registered("clerk", clerk.pk, at=timezone.now(), key=key)

        assert "Key in a browser: it proves no PIN or touch" in plain(browser, PAGE)


class TestADecision:
    @pytest.fixture
    def clerk(self) -> Person:
        """A payments clerk whose key waits for approval."""
        return registered("clerk", somebody("clerk", "payments").pk, at=timezone.now())

    def test_is_signed_by_the_key(
        self, browser: Client, key: BrowserKey, ada: User, clerk: Person
    ) -> None:
        """The page is told which key to look for; no security key is asked."""
        rooted("ada", ada.pk, at=timezone.now(), key=key)

        prepared = prepare(browser, clerk, "approve", reason="seen").json()
        requested = prepared["browserKeys"]
        answer = browser_answer_of(key.answer(requested["challenge"]))
        form = {"reason": "seen", "assertion": answer, **prepared["fields"]}
        browser.post(address_of(clerk, "approve"), form)

        assert requested["ids"] == [base64url(key.credential_id)]
        assert "publicKey" not in prepared
        assert SigningKeyStep.objects.get(key=clerk.row).action == "approved"

    def test_may_be_signed_by_either_key(
        self, browser: Client, key: BrowserKey, ada: User, clerk: Person
    ) -> None:
        """Of a person who has both."""
        rooted("ada", ada.pk, at=timezone.now(), key=key)
        other = rooted("ada", ada.pk, at=timezone.now())

        prepared = prepare(browser, clerk, "approve", reason="seen").json()

        [allowed] = prepared["publicKey"]["allowCredentials"]
        assert allowed["id"] == base64url(other.key.credential_id)
        assert prepared["browserKeys"]["challenge"] == prepared["publicKey"]["challenge"]

    def test_is_not_signed_without_the_setting(
        self, browser: Client, key: BrowserKey, ada: User, clerk: Person, settings: Settings
    ) -> None:
        """Neither asked for nor accepted."""
        rooted("ada", ada.pk, at=timezone.now(), key=key)
        prepared = prepare(browser, clerk, "approve", reason="seen").json()
        answer = browser_answer_of(key.answer(prepared["browserKeys"]["challenge"]))
        settings.BROWSER_KEYS = False

        refused = prepare(browser, clerk, "approve", reason="seen")
        form = {"reason": "seen", "assertion": answer, **prepared["fields"]}
        page = page_html(browser.post(address_of(clerk, "approve"), form, follow=True))

        assert (refused.status_code, "browserKeys" in refused.json()) == (409, False)
        assert "This key does not sign for you." in page
        assert not SigningKeyStep.objects.filter(key=clerk.row).exists()
