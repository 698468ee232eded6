"""Connecting an account with an identity: by its owner, with both factors given just now."""

from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.access.models import AccessNotice, OpenSession
from tests.casino.backoffice.conftest import newcomer, person
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.single_sign_on.openid_peer import Peer
from tests.casino.backoffice.single_sign_on.sign_on import (
    BACK,
    CONNECT,
    DISCONNECT,
    SECURITY,
    SUBJECT,
    browser,
    connected,
    first_step,
    is_in,
    led,
)
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def marco(db: None) -> User:
    """A supervisor who has not connected the account."""
    return somebody("marco", "supervisor")


@pytest.fixture
def desk(marco: User) -> Client:
    """Marco's browser; he gave his second factor just now."""
    return browser_of(marco)


def forget_confirmation(client: Client) -> None:
    """Password and second factor were given too long ago; the second factor alone was not."""
    session = client.session
    session["confirmed_by_both_at"] = (timezone.now() - timedelta(minutes=6)).timestamp()
    session.save()


class TestConnecting:
    def test_lets_the_person_log_in(self, peer: Peer, desk: Client) -> None:
        """From then on."""
        assert "Connect Casino ID" in desk.get(SECURITY).content.decode()

        answer = desk.get(BACK, peer.log_in(led(desk, CONNECT), SUBJECT), follow=True)

        page = answer.content.decode()
        assert answer.request["PATH_INFO"] == SECURITY
        assert "Connected. You can log in with Casino ID and your second factor." in page
        assert "Connected with your account." in page
        assert first_step(browser(), peer).status_code == 302

    def test_asks_the_provider_for_a_new_login(self, peer: Peer, desk: Client) -> None:
        """Whoever is still logged in there at a shared computer is not connected unasked."""
        assert "prompt=login" in led(desk, CONNECT)
        assert "prompt" not in led(browser())

    def test_is_recorded_and_notified(self, peer: Peer, desk: Client, marco: User) -> None:
        """To the person and to compliance; what the provider says of the person is not stored."""
        officer = person("compliance")
        peer.changed = {"email": "m@x", "name": "Marco"}

        desk.get(BACK, peer.log_in(led(desk, CONNECT), SUBJECT))

        [(actor, subject, details)] = audit_records("IDENTITY_CONNECTED")
        assert (actor, subject) == ("marco", f"user:{marco.pk}")
        assert details["issuer"] == peer.issuer
        assert SUBJECT not in str(details)
        row = SocialAccount.objects.get()
        assert (row.provider, row.uid, row.extra_data) == (peer.issuer, SUBJECT, {})
        notices = set(AccessNotice.objects.values_list("recipient", "action"))
        assert notices == {(who.pk, "IDENTITY_CONNECTED") for who in (marco, officer)}

    def test_ends_other_sessions(self, peer: Peer, desk: Client, marco: User) -> None:
        """As every change of how one logs in."""
        client = browser()
        step = client.post("/admin/login/", {"username": "marco", "password": "wrong"})
        assert step.status_code == 200
        OpenSession.objects.create(
            session_key="k" * 32,
            session_data="",
            user=marco,
            handle="other",
            expire_date=timezone.now() + timedelta(hours=1),
        )

        desk.get(BACK, peer.log_in(led(desk, CONNECT), SUBJECT))

        assert not OpenSession.objects.filter(handle="other").exists()
        assert is_in(desk)

    def test_needs_both_factors_again(self, peer: Peer, desk: Client) -> None:
        """At the beginning, and when the browser is back."""
        address = led(desk, CONNECT)
        forget_confirmation(desk)

        begun = desk.post(CONNECT)
        back = desk.get(BACK, peer.log_in(address, SUBJECT))

        confirm = f"{SECURITY}confirm/?next=%2Fadmin%2Fsecurity%2F&both=1"
        assert begun["Location"] == back["Location"] == confirm
        assert not SocialAccount.objects.exists()

    def test_takes_one_identity_only(self, peer: Peer, desk: Client) -> None:
        """Another one would be another way in."""
        for subject in (SUBJECT, "another"):
            desk.get(BACK, peer.log_in(led(desk, CONNECT), subject))

        assert SocialAccount.objects.get().uid == SUBJECT
        assert "connected already" in desk.get(SECURITY).content.decode()

    def test_takes_nobody_elses_identity(self, peer: Peer, desk: Client, giulia: User) -> None:
        """That is connected already."""
        desk.get(BACK, peer.log_in(led(desk, CONNECT), SUBJECT))

        assert SocialAccount.objects.get().user == giulia

    def test_is_offered_with_a_second_factor_only(self, peer: Peer) -> None:
        """Which everybody adds first."""
        auditor = browser_of(newcomer("auditor"))

        page = auditor.get(SECURITY).content.decode()

        assert "Add a second factor before you connect your account." in page
        assert auditor.post(CONNECT)["Location"] == SECURITY


class TestDisconnecting:
    def test_takes_the_way_in_away(self, peer: Peer, desk: Client, marco: User) -> None:
        """At once, with a record."""
        connected(marco, peer)

        answer = desk.post(DISCONNECT, follow=True)

        assert "Not connected." in answer.content.decode()
        assert first_step(browser(), peer).status_code == 403
        assert len(audit_records("IDENTITY_DISCONNECTED")) == 1

    def test_needs_both_factors_again(self, peer: Peer, desk: Client, marco: User) -> None:
        """As connecting does."""
        connected(marco, peer)
        forget_confirmation(desk)

        desk.post(DISCONNECT)

        assert SocialAccount.objects.filter(user=marco).exists()

    def test_twice_is_recorded_once(self, peer: Peer, desk: Client, marco: User) -> None:
        """The second time there is nothing to take away."""
        connected(marco, peer)

        desk.post(DISCONNECT)
        desk.post(DISCONNECT)

        assert len(audit_records("IDENTITY_DISCONNECTED")) == 1
