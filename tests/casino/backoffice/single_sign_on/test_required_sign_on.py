"""``SSO_REQUIRED``: whose password is refused, and how nobody is locked out."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from pytest_django import Settings

from casino.access.account_status import add_event
from casino.access.models import AccessEvent
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.single_sign_on.openid_peer import Peer
from tests.casino.backoffice.single_sign_on.sign_on import (
    BACK,
    CONNECT,
    SECURITY,
    STEP,
    SUBJECT,
    both_steps,
    browser,
    connected,
    is_in,
    led,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _required(peer: Peer, settings: Settings) -> None:
    settings.SSO_REQUIRED = True


def password_of(person: User) -> str:
    """Where the password leads; the error if it is refused."""
    form = {"username": person.get_username(), "password": PASSWORD}
    answer = browser().post("/admin/login/", form)
    refused = "This account logs in with Casino ID, not with a password."
    return refused if refused in answer.content.decode() else answer["Location"]


class TestAPassword:
    def test_is_refused(self, giulia: User) -> None:
        """Of an account that can log in with the provider."""
        assert password_of(giulia).startswith("This account logs in with Casino ID")

    def test_of_an_administrator_is_the_way_in_when_the_provider_is_down(self, peer: Peer) -> None:
        """Connected or not."""
        ada, bruno = somebody("ada", "administrator"), somebody("bruno", "administrator")
        connected(ada, peer)

        assert password_of(ada).startswith(STEP)
        assert password_of(bruno).startswith(STEP)
        assert browser_of(bruno).get("/admin/").status_code == 200

    def test_given_once_by_two_administrators_is_used(self, giulia: User) -> None:
        """The account has no other way in until it is replaced."""
        add_event(giulia, AccessEvent.Kind.PASSWORD_RESET)

        assert password_of(giulia).startswith(STEP)

    def test_is_used_after_a_reset_of_the_second_factor(self, giulia: User) -> None:
        """The provider's login needs one, and adding one needs the password."""
        Authenticator.objects.filter(user=giulia).delete()

        assert password_of(giulia) == "/admin/"

    def test_is_announced_on_the_login_page(self) -> None:
        """So that people know which button is theirs."""
        page = browser().get("/admin/login/").content.decode()

        assert "With a password: administrators, and accounts that are not connected yet" in page


class TestAnAccountThatIsNotConnected:
    def test_sees_nothing_until_it_is(self, peer: Peer) -> None:
        """Its password lets it in, to the page where it is connected."""
        marco = somebody("marco", "supervisor")
        assert password_of(marco).startswith(STEP)
        desk = browser_of(marco)

        before = desk.get("/admin/board/")
        page = desk.get(SECURITY).content.decode()
        desk.get(BACK, peer.log_in(led(desk, CONNECT), SUBJECT))

        assert before["Location"] == SECURITY
        assert "Connect your account to continue." in page
        assert desk.get("/admin/board/").status_code == 200
        assert password_of(marco).startswith("This account logs in with Casino ID")

    def test_is_in_after_that_with_the_provider(self, peer: Peer, giulia: User) -> None:
        """And with the second factor."""
        client = browser()
        both_steps(client, peer, giulia)

        assert is_in(client)
        assert client.get("/admin/board/").status_code == 200
