"""A login by SAML (issue 23)."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from lxml import etree
from pytest_django import Settings

from casino.access.single_sign_on.configuration import SamlProvider
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.second_factors import HERE, code_of
from tests.casino.backoffice.single_sign_on.saml_peer import (
    ISSUER,
    SIGNER,
    Request,
    Signer,
    metadata,
    right_answer,
)
from tests.casino.backoffice.single_sign_on.sign_on import (
    ACS,
    BACK,
    CONNECT,
    METADATA,
    STEP,
    SUBJECT,
    address_on,
    answered,
    browser,
    is_in,
    led,
    linked,
)
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def maria(saml: SamlProvider) -> User:
    """A supervisor whose account is connected."""
    return linked(somebody("maria", "supervisor"))


class TestALogin:
    def test_leads_through_the_second_factor(self, maria: User) -> None:
        """And is recorded with both steps."""
        client = browser()
        step = answered(client, right_answer(Request(led(client)), SUBJECT))["Location"]
        before = is_in(client)

        answer = client.post(step, {"code": code_of(maria)})

        assert (before, answer["Location"], is_in(client)) == (False, "/admin/", True)
        known = {"account": "maria", "address": HERE, "factor": "code", "method": "saml"}
        assert audit_records("LOGGED_IN") == [("maria", f"user:{maria.pk}", known)]

    def test_arrives_without_the_cookies_of_the_session(self, maria: User) -> None:
        """Browsers leave them out of a POST from another site; one signed cookie carries it on."""
        client = browser()
        form = right_answer(Request(led(client)), SUBJECT)
        stranger = Client(enforce_csrf_checks=True, REMOTE_ADDR=HERE)

        posted = stranger.post(ACS, form)
        client.cookies["sso_assertion"] = stranger.cookies["sso_assertion"].value

        assert (posted["Location"], set(stranger.cookies)) == (BACK, {"sso_assertion"})
        flags = stranger.cookies["sso_assertion"]
        assert (flags["httponly"], flags["samesite"], flags["max-age"]) == (True, "Lax", 120)
        assert client.get(BACK)["Location"].startswith(STEP)

    def test_comes_back_with_all_cookies(self, maria: User) -> None:
        """By a page of our own: those of known browsers are not sent from another site."""
        client = browser()
        client.post(ACS, right_answer(Request(led(client)), SUBJECT))

        page = client.get(BACK, headers={"Sec-Fetch-Site": "cross-site"})

        assert address_on(page) == f"{BACK}?here=1"
        again = client.get(address_on(page), headers={"Sec-Fetch-Site": "same-origin"})
        assert again["Location"].startswith(STEP)

    def test_works_with_each_of_two_certificates(self, saml: SamlProvider, maria: User) -> None:
        """While the provider changes them."""
        _certificates_of(saml, Signer(), SIGNER)
        client = browser()

        answer = answered(client, right_answer(Request(led(client)), SUBJECT))

        assert answer["Location"].startswith(STEP)

    def test_of_an_unknown_person_is_refused(self, saml: SamlProvider) -> None:
        """And recorded by a digest."""
        client = browser()

        answer = answered(client, right_answer(Request(led(client)), "somebody else"))

        assert answer.status_code == 403
        assert "no open account here is connected with you" in answer.content.decode()
        [(_actor, _subject, details)] = audit_records("LOGIN_FAILED")
        assert details["reason"] == "unknown_identity"


def _certificates_of(saml: SamlProvider, *signers: Signer) -> None:
    object.__setattr__(saml, "metadata", metadata(*signers))
    saml.__dict__.pop("settings", None)


class TestConnecting:
    def test_lets_the_person_log_in(self, saml: SamlProvider) -> None:
        """After a new login there, whoever was logged in."""
        desk = browser_of(somebody("marco", "supervisor"))
        request = Request(led(desk, CONNECT))

        page = answered(desk, right_answer(request, SUBJECT), follow=True).content.decode()

        assert request.forces_login
        assert "Connected with your account." in page
        client = browser()
        later = Request(led(client))
        assert not later.forces_login
        assert answered(client, right_answer(later, SUBJECT))["Location"].startswith(STEP)


class TestTheMetadata:
    def test_say_what_a_provider_has_to_know(self, saml: SamlProvider) -> None:
        """Where to send answers, and that assertions are to be signed."""
        answer = browser().get(METADATA)

        assert answer["Content-Type"] == "application/samlmetadata+xml"
        document = etree.fromstring(answer.content)
        [consumer] = document.iterfind(".//{*}AssertionConsumerService")
        [descriptor] = document.iterfind(".//{*}SPSSODescriptor")
        assert document.get("entityID") == f"http://testserver{METADATA}"
        assert consumer.get("Location") == f"http://testserver{ACS}"
        assert descriptor.get("WantAssertionsSigned") == "true"
        assert document.get("validUntil") is None

    def test_have_the_configured_name(self, saml: SamlProvider, settings: Settings) -> None:
        """Where a provider insists on one."""
        settings.SINGLE_SIGN_ON = SamlProvider(
            name="Casino ID", issuer=ISSUER, metadata=metadata(), entity_id="urn:sabot"
        )

        assert b'entityID="urn:sabot"' in browser().get(METADATA).content

    def test_are_those_of_saml_only(self, peer: object) -> None:
        """With OpenID Connect there is neither page."""
        assert (browser().get(METADATA).status_code, browser().post(ACS).status_code) == (404, 404)
