"""Who comes with what the identity provider did not say, or said for somebody else.

The provider itself may be the attacker (docs/threats.md): whatever it says opens no session.
"""

import base64
import json
import time
from collections.abc import Callable
from typing import Final

import jwt
import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.test import Client

from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.second_factors import code_of
from tests.casino.backoffice.single_sign_on.conftest import giulia, peer
from tests.casino.backoffice.single_sign_on.openid_peer import (
    KEY,
    OTHER_KEY,
    Claims,
    Peer,
)
from tests.casino.backoffice.single_sign_on.sign_on import (
    BACK,
    BEGIN,
    CONFIRM_BOTH,
    CONNECT,
    STEP,
    SUBJECT,
    browser,
    first_step,
    is_in,
    led,
    said_on,
)
from tests.compliance.trail.audit_records import audit_records

__all__ = ["giulia", "peer"]

pytestmark = pytest.mark.django_db

PUBLIC: Final = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
Forge = Callable[[Claims], str]


def _part(document: Claims) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def unsigned(claims: Claims) -> str:
    """By the algorithm ``none``."""
    return f"{_part({'alg': 'none', 'kid': 'k1'})}.{_part(claims)}."


def signed_with_the_public_key(claims: Claims) -> str:
    """As if the public key were a secret between the two."""
    head = f"{_part({'alg': 'HS256', 'kid': 'k1'})}.{_part(claims)}"
    algorithm = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    mac = algorithm.sign(head.encode(), PUBLIC)
    return f"{head}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


def signed_by_another(claims: Claims) -> str:
    """Under the name of the right key."""
    return jwt.encode(claims, OTHER_KEY, algorithm="RS256", headers={"kid": "k1"})


def signed_by_an_unknown_key(claims: Claims) -> str:
    """Which it brings along."""
    jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(OTHER_KEY.public_key()))
    return jwt.encode(claims, OTHER_KEY, algorithm="RS256", headers={"kid": "k2", "jwk": jwk})


def changed_afterwards(claims: Claims) -> str:
    """Signed for somebody else."""
    token = jwt.encode({**claims, "sub": "x"}, KEY, algorithm="RS256", headers={"kid": "k1"})
    head, _claims, signature = token.split(".")
    return f"{head}.{_part(claims)}.{signature}"


@pytest.fixture
def known(giulia: User) -> User:
    """The person whom the attacker wants to be."""
    return giulia


class TestAForgedToken:
    @pytest.mark.parametrize(
        "forge",
        [
            unsigned,
            signed_with_the_public_key,
            signed_by_another,
            signed_by_an_unknown_key,
            changed_afterwards,
            lambda _claims: "no.token.here",
            lambda _claims: "",
        ],
    )
    def test_is_refused(self, peer: Peer, known: User, forge: Forge) -> None:
        """Also when it comes from the provider's own address."""
        peer.sign = forge
        client = browser()

        answer = first_step(client, peer)

        assert answer.status_code == 403
        assert said_on(answer) == "The answer of Casino ID is not valid for this login."
        assert client.get(STEP)["Location"] == "/admin/login/"
        assert [details["reason"] for *_, details in audit_records("LOGIN_FAILED")] == [
            "invalid_token"
        ]

    @pytest.mark.parametrize(
        "changed",
        [
            {"aud": "another-program"},
            {"aud": ["sabot", "another-program"]},
            {"azp": "another-program"},
            {"iss": "https://another.example"},
            {"exp": int(time.time()) - 90},
            {"iat": int(time.time()) + 600},
            {"nonce": "of another login"},
            {"nonce": None},
            {"exp": None},
            {"sub": None},
            {"sub": 7},
            {"sub": ""},
            {"sub": "x" * 192},
        ],
    )
    def test_for_another_login_is_refused(self, peer: Peer, known: User, changed: Claims) -> None:
        """Signed by the provider, for another program, another time or another browser."""
        peer.changed = changed
        client = browser()

        assert first_step(client, peer).status_code == 403
        assert client.get(STEP)["Location"] == "/admin/login/"
        [(*_who, details)] = audit_records("LOGIN_FAILED")
        assert details["reason"] == "invalid_token"

    def test_is_not_replaced_by_other_words(self, peer: Peer, known: User) -> None:
        """Without an ID token the provider's other answers are not asked for."""
        peer.answer = lambda answer: {**answer, "id_token": None, "sub": SUBJECT}
        peer.description["userinfo_endpoint"] = f"{peer.issuer}/me"

        assert first_step(browser(), peer).status_code == 403
        assert "/me" not in peer.called


class TestAnAnswerForAnotherBrowser:
    def test_is_refused(self, peer: Peer, known: User) -> None:
        """An attacker's own login in the victim's browser, or a victim's in the attacker's."""
        attacker, victim = browser(), browser()
        led(victim)
        answer = peer.log_in(led(attacker), SUBJECT)

        refused = victim.get(BACK, answer)

        assert (refused.status_code, is_in(victim)) == (403, False)
        assert "was not begun in this browser" in said_on(refused)
        assert victim.get(STEP)["Location"] == "/admin/login/"

    @pytest.mark.parametrize("state", ["", "guessed", "0" * 16])
    def test_has_no_state_that_is_guessed(self, peer: Peer, known: User, state: str) -> None:
        """The code is not even exchanged."""
        client = browser()
        answer = peer.log_in(led(client), SUBJECT)
        before = len(peer.called)

        refused = client.get(BACK, {**answer, "state": state})

        assert refused.status_code == 403
        assert len(peer.called) == before

    def test_is_not_used_again(self, peer: Peer, known: User) -> None:
        """Neither the state nor the code; not by the same browser either."""
        client = browser()
        answer = peer.log_in(led(client), SUBJECT)
        first = client.get(BACK, answer)
        replayed = client.get(BACK, answer)
        other_state = peer.log_in(led(client), SUBJECT)["state"]

        code_again = client.get(BACK, {**answer, "state": other_state})

        assert first["Location"].startswith(STEP)
        assert (replayed.status_code, code_again.status_code) == (403, 403)

    @pytest.mark.parametrize("named", ["https://another.example", None])
    def test_is_not_of_another_provider(self, peer: Peer, known: User, named: str | None) -> None:
        """The code would be handed to the wrong one (RFC 9207)."""
        client = browser()
        answer = peer.log_in(led(client), SUBJECT)
        answer = {**answer, "iss": named} if named else {**answer}
        if named is None:
            del answer["iss"]
        before = peer.called.count("/token")

        assert client.get(BACK, answer).status_code == 403
        assert peer.called.count("/token") == before


def confirmed(name: str, role: str) -> Client:
    """The browser of a new person who has just given the second factor."""
    user = somebody(name, role)
    client = browser_of(user)
    client.post(CONFIRM_BOTH, {"password": PASSWORD, "code": code_of(user)})
    return client


class TestConnectingAStrangersIdentity:
    def test_is_not_done_by_a_link(self, peer: Peer) -> None:
        """The attacker begins, and lets the victim's browser end it: the way in would be theirs."""
        victim, attacker = confirmed("v", "supervisor"), confirmed("a", "payments")
        answer = peer.log_in(led(attacker, CONNECT), "the attacker")

        victim.get(BACK, answer)

        assert not SocialAccount.objects.exists()

    def test_is_not_done_by_a_foreign_form(self, peer: Peer) -> None:
        """Neither begins on another site."""
        victim = Client(enforce_csrf_checks=True)
        victim.force_login(somebody("v", "supervisor"))

        assert victim.post(CONNECT).status_code == 403
        assert Client(enforce_csrf_checks=True).post(BEGIN).status_code == 403
        assert victim.get(CONNECT).status_code == 405

    def test_is_not_done_for_the_next_person(self, peer: Peer) -> None:
        """Who has logged in meanwhile in the same browser."""
        desk = confirmed("first", "supervisor")
        address = led(desk, CONNECT)
        states = desk.session["socialaccount_states"]
        second = somebody("second", "payments")
        desk.force_login(second)
        desk.post(CONFIRM_BOTH, {"password": PASSWORD, "code": code_of(second)})
        session = desk.session
        session["socialaccount_states"] = states
        session.save()

        answer = desk.get(BACK, peer.log_in(address, SUBJECT))

        assert answer.status_code == 403
        assert not SocialAccount.objects.exists()
