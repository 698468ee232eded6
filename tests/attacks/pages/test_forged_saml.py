"""SAML assertions that the provider did not make for this login."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client
from pytest_django import Settings

from casino.access.models import LoginFailure, OpenSession
from casino.access.single_sign_on.configuration import SamlProvider
from tests.attacks.pages.forged_assertions import (
    MALLORY,
    changed_afterwards,
    same_id,
    signature_moved_to_a_forged_assertion,
    signature_of_another_element,
    signed_assertion_inside_of_a_forged_one,
    signed_by_sha1,
    signed_by_the_attacker,
    signed_response_only,
    unsigned,
    with_entities,
)
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.second_factors import code_of
from tests.casino.backoffice.single_sign_on.conftest import saml
from tests.casino.backoffice.single_sign_on.saml_peer import (
    SIGNER,
    Request,
    assertion,
    posted,
    response,
    right_answer,
)
from tests.casino.backoffice.single_sign_on.sign_on import (
    ACS,
    BACK,
    CONFIRM_BOTH,
    CONNECT,
    STEP,
    SUBJECT,
    answered,
    browser,
    led,
    linked,
)
from tests.compliance.trail.audit_records import audit_records

__all__ = ["saml"]

pytestmark = pytest.mark.django_db

Forge = Callable[[Request], str]


@pytest.fixture(autouse=True)
def _known(saml: SamlProvider) -> User:
    """The person whom the attacker wants to be."""
    return linked(somebody("giulia", "supervisor"))


def outcome(client: Client, document: str) -> tuple[int, bool]:
    """The status of the answer, and whether the browser may go on to the second step."""
    answer = answered(client, posted(document))
    return answer.status_code, client.get(STEP)["Location"] != "/admin/login/"


class TestAForgedAssertion:
    @pytest.mark.parametrize(
        "forge",
        [
            unsigned,
            signed_by_the_attacker,
            changed_afterwards,
            signature_of_another_element,
            signed_assertion_inside_of_a_forged_one,
            signature_moved_to_a_forged_assertion,
            same_id,
            signed_response_only,
            signed_by_sha1,
            with_entities,
            lambda _request: "",
            lambda _request: "<no",
        ],
    )
    def test_is_refused(self, forge: Forge) -> None:
        """And counted; nothing is stored of it."""
        client = browser()
        request = Request(led(client))
        sessions = OpenSession.objects.count()

        assert outcome(client, forge(request)) == (403, False)
        assert [details["reason"] for *_, details in audit_records("LOGIN_FAILED")] == [
            "invalid_assertion"
        ]
        assert OpenSession.objects.count() == sessions

    def test_in_no_base64_is_refused(self) -> None:
        """Nor in XML."""
        assert browser().post(ACS, {"SAMLResponse": "%%%"}).status_code == 403
        assert browser().post(ACS).status_code == 403


class TestAnAssertionForSomethingElse:
    @pytest.mark.parametrize(
        "changed",
        [
            {"audience": "https://another.example"},
            {"audience": None},
            {"recipient": "http://another.example/admin/login/sso/saml/"},
            {"recipient": "http://testserver/admin/login/sso/saml/../../evil"},
            {"recipient": None},
            {"end": None},
            {"end": -1},
            {"lasts": -301},
            {"begins": 301},
            {"issuer": "https://another.example"},
            {"format": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"},
            {"format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"},
            {"answers": None},
            {"answers": "_of_another_login"},
        ],
    )
    def test_is_refused(self, changed: dict[str, Any]) -> None:
        """The provider signed it, for another program, time or person."""
        client = browser()
        request = Request(led(client))
        signed = SIGNER.signed(assertion(request, SUBJECT, **changed))

        assert outcome(client, response(request, signed)) == (403, False)

    def test_is_a_name_with_a_comment_in_it(self) -> None:
        """A parser that stops at the comment reads the name of somebody else."""
        client = browser()
        request = Request(led(client))
        name = f"{SUBJECT}<!-- -->.{MALLORY}"

        assert outcome(client, response(request, SIGNER.signed(assertion(request, name)))) == (
            403,
            False,
        )
        assert audit_records("LOGIN_FAILED")[0][2]["reason"] == "unknown_identity"


class TestAnUnsolicitedAssertion:
    def test_is_refused(self) -> None:
        """Whoever can make a browser send one logs it in as somebody else."""
        client = browser()
        request = Request(led(client))
        signed = SIGNER.signed(assertion(request, SUBJECT, answers=None))

        assert outcome(client, response(request, signed, answers=None)) == (403, False)

    def test_is_refused_in_the_frame_of_a_request(self) -> None:
        """Only the assertion is signed: the attacker writes the frame for their own request."""
        client = browser()
        request = Request(led(client))
        stolen = SIGNER.signed(assertion(request, SUBJECT, answers=None))

        assert outcome(client, response(request, stolen)) == (403, False)
        reason = audit_records("LOGIN_FAILED")[0][2]["reason"]
        assert reason == "unsolicited_assertion"


class TestAnAssertionForAnotherBrowser:
    def test_is_refused(self) -> None:
        """Stolen on its way, or slipped to a victim."""
        attacker, victim = browser(), browser()
        led(victim)
        form = right_answer(Request(led(attacker)), SUBJECT)

        answer = answered(victim, form)

        assert answer.status_code == 403
        assert "was not begun in this browser" in answer.content.decode()
        assert victim.get(STEP)["Location"] == "/admin/login/"

    def test_is_not_replayed(self) -> None:
        """Neither the form nor the cookie that came of it."""
        client = browser()
        form = right_answer(Request(led(client)), SUBJECT)
        first = answered(client, form)
        session = client.session
        session.pop("awaits_second_factor")
        session.save()

        again, cookie_again = answered(client, form), client.get(BACK)

        assert first["Location"].startswith(STEP)
        assert (again.status_code, cookie_again.status_code) == (403, 403)
        assert client.get(STEP)["Location"] == "/admin/login/"

    def test_is_not_made_of_a_cookie(self) -> None:
        """Which is signed, for this use and for two minutes."""
        client = browser()
        request = Request(led(client))
        for cookie in (
            base64.urlsafe_b64encode(b"[]").decode(),
            signing.dumps(["https://id.casino.example/saml", request.id, SUBJECT]),
        ):
            client.cookies["sso_assertion"] = cookie
            assert client.get(BACK).status_code == 403

    def test_connects_nobody_elses_account(self) -> None:
        """The attacker's identity with the victim's account."""
        victim, thief = somebody("v", "supervisor"), somebody("t", "payments")
        desks = []
        for user in (victim, thief):
            desk = browser_of(user)
            desk.post(CONFIRM_BOTH, {"password": PASSWORD, "code": code_of(user)})
            desks.append(desk)

        answered(desks[0], right_answer(Request(led(desks[1], CONNECT)), MALLORY))

        assert not SocialAccount.objects.filter(user__in=(victim, thief)).exists()


def test_refusals_are_counted_by_address(settings: Settings) -> None:
    """Beyond the limit they leave nothing behind: their number is the stranger's choice."""
    settings.ADDRESS_FAILURE_LIMIT = 3

    statuses = [browser().post(ACS, posted("<no")).status_code for _ in range(5)]

    assert statuses == [403, 403, 403, 429, 429]
    assert LoginFailure.objects.count() == len(audit_records("LOGIN_FAILED")) == 3


def test_a_stranger_behind_the_same_address_locks_nobody_out(settings: Settings) -> None:
    """Who comes with a valid assertion, and whose browser the account knows."""
    settings.ADDRESS_FAILURE_LIMIT = 3
    client, giulia = browser(), User.objects.get(username="giulia")
    form = right_answer(Request(led(client)), SUBJECT)
    client.post(answered(client, form)["Location"], {"code": code_of(giulia)})
    client.cookies.pop("sessionid")
    for _ in range(3):
        browser().post(ACS, posted("<no"))

    answer = answered(client, right_answer(Request(led(client)), SUBJECT))

    assert answer["Location"].startswith(STEP)
