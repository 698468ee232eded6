"""What else a provider, a stranger and a thief could try with single sign-on.

``test_forged_sign_on.py`` has the forged answers themselves.
"""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.contrib.auth.models import User
from pytest_django import Settings
from requests.exceptions import SSLError

from casino.access.models import LoginFailure
from casino.access.single_sign_on import provider_calls
from casino.access.single_sign_on.configuration import OpenIdProvider
from casino.access.single_sign_on.provider_calls import forget_descriptions, read_description
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.single_sign_on.conftest import giulia, peer
from tests.casino.backoffice.single_sign_on.openid_peer import CLIENT, SECRET, Peer, running_peer
from tests.casino.backoffice.single_sign_on.sign_on import (
    BACK,
    BEGIN,
    STEP,
    both_steps,
    browser,
    first_step,
    led,
    said_on,
)
from tests.certificates import Authority
from tests.compliance.trail.audit_records import audit_records

__all__ = ["giulia", "peer"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def known(giulia: User) -> User:
    """The person whom the attacker wants to be."""
    return giulia


class TestAnAccount:
    def test_that_is_closed_stays_closed(self, peer: Peer, known: User) -> None:
        """Whatever the directory says of its owner."""
        User.objects.filter(pk=known.pk).update(is_active=False)

        answer = first_step(browser(), peer)

        assert answer.status_code == 403
        [(_actor, subject, details)] = audit_records("LOGIN_FAILED")
        assert (subject, details["reason"]) == (f"user:{known.pk}", "inactive_account")

    def test_that_is_closed_between_the_steps_stays_closed(self, peer: Peer, known: User) -> None:
        """The second step looks again."""
        client = browser()
        step = first_step(client, peer)["Location"]
        User.objects.filter(pk=known.pk).update(is_active=False)

        assert client.get(step)["Location"] == "/admin/login/"

    def test_that_is_locked_stays_locked(self, peer: Peer, known: User) -> None:
        """By wrong passwords from the same address."""
        for _ in range(5):
            browser().post("/admin/login/", {"username": "giulia", "password": "wrong"})

        answer = first_step(browser(), peer)

        assert answer.status_code == 429
        assert "locked" in said_on(answer)

    def test_of_a_superuser_has_no_way_in(self, peer: Peer) -> None:
        """As with a password."""
        root = User.objects.create_superuser("root")
        give_phone(root)
        SocialAccount.objects.create(user=root, provider=peer.issuer, uid="root")

        assert first_step(browser(), peer, "root").status_code == 403


class TestManyAttempts:
    def test_lock_the_address(self, peer: Peer, known: User, settings: Settings) -> None:
        """It makes Sabot call the provider no more."""
        settings.ADDRESS_FAILURE_LIMIT = 3
        for number in range(3):
            first_step(browser(), peer, f"stranger {number}")
        before = len(peer.called)
        client = browser()

        answers = [client.post(BEGIN), client.get(BACK, {"state": "s", "code": "c"})]

        assert [answer.status_code for answer in answers] == [429, 429]
        assert "Too many failed logins from your network" in said_on(answers[0])
        assert len(peer.called) == before

    def test_do_not_lock_out_known_browsers(
        self, peer: Peer, known: User, settings: Settings
    ) -> None:
        """The colleague of a stranger behind the same address."""
        settings.ADDRESS_FAILURE_LIMIT = 3
        client = browser()
        both_steps(client, peer, known)
        client.cookies.pop("sessionid")
        for number in range(3):
            first_step(browser(), peer, f"stranger {number}")

        assert first_step(client, peer)["Location"].startswith(STEP)

    def test_are_each_counted(self, peer: Peer) -> None:
        """Forged answers too."""
        client = browser()
        for _ in range(3):
            client.get(BACK, {"state": "guessed", "code": "c"})

        assert LoginFailure.objects.count() == 3


class TestTheWayBack:
    @pytest.mark.parametrize(
        "place", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil"]
    )
    def test_leads_to_this_site_only(self, peer: Peer, known: User, place: str) -> None:
        """Whatever ``next`` says."""
        assert first_step(browser(), peer, next=place)["Location"] == f"{STEP}?next=%2Fadmin%2F"


@pytest.fixture
def elsewhere() -> Iterator[Peer]:
    """Another host, which must not be called."""
    with running_peer() as other:
        yield other


class TestCallsToTheProvider:
    @pytest.mark.parametrize("endpoint", ["token_endpoint", "jwks_uri", "authorization_endpoint"])
    def test_go_to_its_host_only(
        self, peer: Peer, known: User, elsewhere: Peer, endpoint: str
    ) -> None:
        """A changed description would send the secret to somebody else, or into the house."""
        peer.description[endpoint] = f"{elsewhere.issuer}/token"

        answer = browser().post(BEGIN)

        assert answer.status_code == 503
        assert elsewhere.called == []

    @pytest.mark.parametrize(
        ("host", "authority", "is_called"),
        [
            ("127.0.0.1", "right", True),
            ("127.0.0.1", "other", False),
            ("127.0.0.1", "", False),
            ("127.0.0.2", "right", False),
        ],
    )
    def test_verify_its_certificate(
        self, tmp_path: Path, host: str, authority: str, is_called: bool
    ) -> None:
        """Somebody between the two would read the secret, and write tokens."""
        files = {name: Authority(tmp_path, name=name) for name in ("right", "other")}
        with running_peer(files["right"].issue(host)) as secure:
            provider = OpenIdProvider(
                name="Casino ID",
                issuer=secure.issuer,
                client_id=CLIENT,
                client_secret=SECRET,
                ca_file=str(files[authority].file) if authority else "",
            )
            with nullcontext() if is_called else pytest.raises(SSLError):
                read_description(provider)

        assert bool(secure.called) == is_called

    def test_follow_no_redirect(self, peer: Peer, known: User, elsewhere: Peer) -> None:
        """For the same reason."""
        peer.redirect = f"{elsewhere.issuer}/keys"

        assert first_step(browser(), peer).status_code == 503
        assert elsewhere.called == []

    def test_end_with_a_broken_answer(self, peer: Peer, known: User) -> None:
        """Which is said as such."""
        peer.missing = 10

        assert browser().post(BEGIN).status_code == 503

    def test_wait_for_no_drip(
        self, peer: Peer, known: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Which would occupy a thread of the site for as long as the provider likes."""
        monkeypatch.setattr(provider_calls, "_WHOLE_SECONDS", 0.2)
        peer.pause = 0.05
        begun = time.monotonic()

        assert browser().post(BEGIN).status_code == 503
        assert time.monotonic() - begun < len(str(peer.description)) * peer.pause / 2

    @pytest.mark.parametrize("address", ["http://127.0.0.1:port/keys", "http://[::1/keys"])
    def test_need_addresses(self, peer: Peer, known: User, address: str) -> None:
        """What is none is said to be none."""
        peer.description["jwks_uri"] = address

        assert browser().post(BEGIN).status_code == 503

    def test_read_no_endless_answer(self, peer: Peer, known: User) -> None:
        """A megabyte is more than any provider needs."""
        peer.description["padding"] = "x" * (1 << 20)
        forget_descriptions()

        assert browser().post(BEGIN).status_code == 503

    def test_are_not_those_of_rows_in_the_database(self, peer: Peer, elsewhere: Peer) -> None:
        """Who can write to the tables adds no provider."""
        app: dict[str, Any] = {"provider": "openid_connect", "provider_id": "sabot-oidc"}
        SocialApp.objects.create(
            **app, client_id="sabot", settings={"server_url": elsewhere.issuer}
        )

        assert led(browser()).startswith(peer.issuer)
        assert elsewhere.called == []
