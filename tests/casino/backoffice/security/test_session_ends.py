"""When sessions end (OWASP ASVS 5, 7.3 and 7.4)."""

from datetime import timedelta
from typing import Final

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.access.models import OpenSession
from casino.access.session_store import open_sessions
from casino.live.stream import Subscriber
from casino.live.subscribers import valid_subscribers
from casino.live.topics import kinds_for
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.people.people import browser_of
from tests.casino.backoffice.second_factors import code_of, offered, rfc_code, step_now

pytestmark = pytest.mark.django_db

PAGE: Final = "/admin/security/"
CONFIRM: Final = "/admin/security/confirm/"
BROWSER: Final = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def auditor() -> User:
    """A person with a phone."""
    return person("auditor")


@pytest.fixture
def desk(auditor: User) -> Client:
    """A browser in which the person has logged in on the page."""
    browser = Client(REMOTE_ADDR="192.0.2.7", headers=BROWSER)
    browser.post("/admin/login/", {"username": "auditor", "password": PASSWORD})
    browser.post("/admin/login/second/", {"code": code_of(auditor)})
    return browser


def is_open(browser: Client) -> bool:
    """Whether the browser's session leads to a page."""
    return bool(browser.get(PAGE).status_code == 200)


def let_pass(**span: float) -> None:
    """Dates the last action of all sessions back."""
    OpenSession.objects.update(seen_at=F("seen_at") - timedelta(**span))


class TestASessionThatNobodyUses:
    def test_ends_after_half_an_hour(self, desk: Client) -> None:
        """Its row is deleted with the first request after that."""
        let_pass(minutes=30)

        assert not is_open(desk)
        assert not OpenSession.objects.filter(user__isnull=False).exists()

    def test_is_open_until_then(self, desk: Client) -> None:
        """And from there for another half hour."""
        let_pass(minutes=29)
        first = is_open(desk)
        let_pass(minutes=29)

        assert (first, is_open(desk)) == (True, True)

    def test_ends_when_the_installation_says(self, desk: Client, settings: Settings) -> None:
        """SESSION_IDLE_MINUTES."""
        settings.SESSION_IDLE_TIME = timedelta(minutes=5)
        let_pass(minutes=5)

        assert not is_open(desk)

    @pytest.mark.parametrize(
        ("page", "headers"),
        [
            (PAGE, {"Accept": "*/*"}),  # fetch() of a page that keeps itself current
            ("/admin/search/?q=a&panel", {"Accept": "*/*"}),
            ("/admin/live/", {"Accept": "text/event-stream"}),
            ("/admin/jobs/", {"Accept": "application/json"}),
            (PAGE, {"Referer": f"http://testserver{PAGE}"}),  # reloads itself without JavaScript
        ],
    )
    def test_is_not_kept_by_what_pages_request(
        self, desk: Client, page: str, headers: dict[str, str]
    ) -> None:
        """Polling, streams and reloads, also where they write into the session."""
        let_pass(minutes=29)
        session = desk.session
        session["anything"] = "changed by a page"
        session.save()
        desk.get(page, headers={**BROWSER, **headers})
        let_pass(minutes=1)

        assert not is_open(desk)

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"Referer": "http://testserver/admin/"},
            {"Referer": f"http://testserver{PAGE}", "Sec-Fetch-User": "?1"},
        ],
    )
    def test_is_kept_by_a_persons_own_step(self, desk: Client, headers: dict[str, str]) -> None:
        """Links, also to the same page."""
        let_pass(minutes=29)
        desk.get(PAGE, headers={**BROWSER, **headers})
        let_pass(minutes=29)

        assert is_open(desk)

    def test_is_kept_by_a_form_that_a_script_sends(self, desk: Client) -> None:
        """Forms are sent because somebody pressed a button, drafts because somebody types."""
        let_pass(minutes=29)
        desk.post("/admin/security/end/", headers={"Accept": "*/*"})
        let_pass(minutes=29)

        assert is_open(desk)

    def test_is_listed_no_more_and_has_no_stream(self, desk: Client, auditor: User) -> None:
        """Before anybody requests anything with it."""
        key = desk.session.session_key or ""
        auth_hash = auditor.get_session_auth_hash()
        reader = Subscriber(key, auditor.pk, auth_hash, kinds_for(auditor))
        now = timezone.now()
        before = valid_subscribers([reader], at=now), open_sessions(at=now).count()

        later = now + timedelta(minutes=30)

        assert before == ({reader}, 1)
        assert (valid_subscribers([reader], at=later), open_sessions(at=later).count()) == (
            set(),
            0,
        )


class TestTheAbsoluteEnd:
    def test_is_eight_hours_after_the_login(self, desk: Client) -> None:
        """However often the session is written meanwhile."""
        [end] = OpenSession.objects.values_list("expire_date", flat=True)
        session = desk.session
        session["anything"] = "changed"
        session.save()
        desk.post("/admin/security/end/")

        rows = OpenSession.objects.values_list("started_at", "expire_date")
        assert list(rows) == [(end - timedelta(hours=8), end)]

    def test_is_not_postponed_by_a_confirmation(self, signer: User) -> None:
        """A new key has the end of the former one."""
        desk = browser_of(signer)
        [end] = OpenSession.objects.values_list("expire_date", flat=True)

        desk.post(CONFIRM, {"code": code_of(signer)})

        assert list(OpenSession.objects.values_list("expire_date", flat=True)) == [end]

    def test_is_not_postponed_by_use(self, desk: Client) -> None:
        """Eight hours, used or not."""
        OpenSession.objects.update(expire_date=timezone.now())

        assert not is_open(desk)


class TestThePagesThatAreOpen:
    """What `session-end.js` asks for."""

    STATUS: Final = "/admin/security/session/"

    def test_learn_when_an_unused_session_ends(self, desk: Client) -> None:
        """And do not postpone it by asking."""
        let_pass(minutes=29)

        first, second = (desk.get(self.STATUS, headers={"Accept": "*/*"}).json() for _ in range(2))

        assert 50 <= second["seconds"] <= first["seconds"] <= 60
        assert first["can_be_extended"]

    def test_extend_it_when_a_person_presses_the_button(self, desk: Client) -> None:
        """Which requests the same as a page."""
        let_pass(minutes=29)

        pressed = desk.get(self.STATUS, headers={"Accept": "text/html"}).json()
        after = desk.get(self.STATUS, headers={"Accept": "*/*"}).json()

        assert pressed["seconds"] > after["seconds"] - 2 > 1700

    def test_cannot_extend_the_absolute_end(self, desk: Client) -> None:
        """The page says so instead of offering it."""
        session = desk.session
        session.set_expiry(timezone.now() + timedelta(seconds=90))
        session.save()

        status = desk.get(self.STATUS, headers={"Accept": "text/html"}).json()

        assert (80 <= status["seconds"] <= 90, status["can_be_extended"]) == (True, False)

    def test_learn_that_it_has_ended(self, desk: Client) -> None:
        """Logged out elsewhere, ended by an administrator, unused."""
        OpenSession.objects.all().delete()

        assert desk.get(self.STATUS, headers={"Accept": "*/*"}).status_code == 403

    def test_are_not_kept_by_the_browser_after_a_logout(self, desk: Client) -> None:
        """Its cache is cleared; keys in its storage are not."""
        assert desk.post("/admin/logout/").headers["Clear-Site-Data"] == '"cache"'


class TestTheKeyOfASession:
    def test_is_new_after_a_confirmation(self, signer: User) -> None:
        """Who copied the former one has no confirmed session, and none at all."""
        desk = browser_of(signer)
        thief = Client(REMOTE_ADDR="192.0.2.7")
        thief.cookies["sessionid"] = desk.cookies["sessionid"].value
        before = desk.session.session_key

        desk.post(CONFIRM, {"code": code_of(signer)})

        assert desk.session.session_key != before
        assert (is_open(desk), is_open(thief)) == (True, False)

    def test_stays_in_the_browser_until_the_logout(self, signer: User) -> None:
        """Answers to requests with the former key, sent by a page meanwhile, do not delete it."""
        desk, former = browser_of(signer), Client(REMOTE_ADDR="192.0.2.7")
        former.cookies["sessionid"] = desk.cookies["sessionid"].value
        desk.post(CONFIRM, {"code": code_of(signer)})

        poll = former.get(PAGE, headers={"Accept": "*/*"})
        draft = former.post("/admin/drafts/", headers={"Accept": "*/*"})
        page = former.get(PAGE, headers=BROWSER)
        logout = desk.post("/admin/logout/")

        assert {answer.status_code for answer in (poll, draft, page)} == {302}
        assert not any("sessionid" in answer.cookies for answer in (poll, draft, page))
        assert logout.cookies["sessionid"].value == ""

    def test_opens_nothing_after_the_logout(self, desk: Client) -> None:
        """The session ends on the server."""
        thief = Client()
        thief.cookies["sessionid"] = desk.cookies["sessionid"].value

        desk.post("/admin/logout/")

        assert not is_open(thief)


class TestOtherSessions:
    @pytest.fixture
    def other(self, signer: User) -> Client:
        """Another browser of the same person."""
        return browser_of(signer)

    def test_end_with_a_new_password(self, signer: User, other: Client) -> None:
        """Their rows are deleted; the session in which it was changed stays open."""
        here = browser_of(signer)
        new = dict.fromkeys(["new_password1", "new_password2"], "another long enough one")
        here.post(CONFIRM, {"code": code_of(signer)})

        here.post("/admin/password_change/", {"old_password": PASSWORD, **new})

        assert (is_open(here), OpenSession.objects.count()) == (True, 1)
        assert not is_open(other)

    @pytest.mark.parametrize("change", ["remove", "codes"])
    def test_end_with_a_change_of_factors(self, signer: User, other: Client, change: str) -> None:
        """By the person."""
        here = browser_of(signer)
        here.post(f"{CONFIRM}?both=1", {"password": PASSWORD, "code": code_of(signer)})
        phone = Authenticator.objects.get(user=signer)

        here.post(f"/admin/security/{change}/", {"factor": phone.pk})

        assert (is_open(here), is_open(other)) == (True, False)

    def test_end_with_another_factor(self, signer: User) -> None:
        """The first one, added after the password."""
        Authenticator.objects.filter(user=signer).delete()
        here, other = browser_of(signer), browser_of(signer)
        code = rfc_code(offered(here), step_now())

        here.post("/admin/security/phone/", {"code": code, "password": PASSWORD})

        assert (is_open(here), is_open(other)) == (True, False)
