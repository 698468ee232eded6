"""A session that somebody took from a person: neither their key nor their phone is in it."""

from typing import Final

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from casino.access.models import AccessRequest
from payouts.cases.models import CaseStep
from rounds.models import FeedUpload
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.people.people import ask, browser_of, roles_of, somebody
from tests.casino.backoffice.second_factors import code_of
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

CREDIT: Final = {
    "reason": "service-failure",
    "text": "An hour without a dealer.",
    "customer": "p-1",
    "amount": "99999.99",
}
NEW: Final = "another long enough one"


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """People sign with authenticators, which the thief does not have."""


@pytest.fixture
def victim(db: None) -> User:
    """A supervisor, who proposes and approves."""
    return somebody("giulia", "supervisor")


@pytest.fixture
def thief(victim: User) -> Client:
    """Has the cookie of a session that the supervisor left open."""
    return browser_of(victim)


class TestAStolenSession:
    def test_proposes_no_payment(self, thief: Client, victim: User) -> None:
        """A decision needs the phone, and is signed: neither is in the session."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        page = thief.post("/admin/cases/credit/", CREDIT, follow=True)
        thief.post("/admin/security/confirm/", {"code": code_of(victim)})
        confirmed = thief.post("/admin/cases/credit/", CREDIT, follow=True)

        assert b"Confirm your identity first." in page.content
        assert b"Decisions are signed with a security key." in confirmed.content
        assert not CaseStep.objects.exists()

    def test_uploads_no_invented_round(self, thief: Client) -> None:
        """Nor with a guessed code."""
        for code in ("", "000000"):
            file = SimpleUploadedFile("f", lines(baccarat_round("r-1"))[0])
            thief.post("/admin/feeds/upload/", {"sent": "1", "file": file, "code": code})

        assert not FeedUpload.objects.exists()

    @pytest.mark.parametrize("code", ["", "000000"])
    def test_of_an_administrator_requests_no_access(self, at_ada: Client, code: str) -> None:
        """For an accomplice, or a new phone for somebody else."""
        clerk = somebody("clerk", "payments")
        ada = User.objects.get(username="ada")
        for kind in ("factors", "password", "roles"):
            ask(at_ada, ada, clerk, kind, ["supervisor"], code=code)

        assert not AccessRequest.objects.exists()
        assert roles_of(clerk) == {"payments"}

    def test_changes_no_password(self, thief: Client, victim: User) -> None:
        """Which would lock the owner out: the thief does not know the present one."""
        form = {"old_password": "unknown", "new_password1": NEW, "new_password2": NEW}
        thief.post("/admin/password_change/", form)

        assert User.objects.get(pk=victim.pk).check_password(PASSWORD)

    @pytest.mark.parametrize("page", ["phone/", "passkey/", "remove/"])
    def test_enrols_and_removes_no_factor(self, thief: Client, victim: User, page: str) -> None:
        """Without one that the account has."""
        before = set(Authenticator.objects.values_list("pk", flat=True))
        for code in ("", "000000"):
            thief.post(f"/admin/security/{page}", {"code": code, "password": PASSWORD})

        assert set(Authenticator.objects.values_list("pk", flat=True)) == before

    def test_ends_with_the_session_that_its_owner_ends(self, thief: Client, victim: User) -> None:
        """On the page of open sessions, or by closing the account."""
        assert thief.get("/admin/").status_code == 200
        User.objects.filter(pk=victim.pk).update(is_active=False)

        assert thief.get("/admin/")["Location"].startswith("/admin/login/")
