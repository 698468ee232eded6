"""Sessions are listed and can be ended (issue 5, point 7)."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.access.browser_names import browser_label
from casino.access.models import OpenSession
from casino.access.second_factor import has_factor
from compliance.trail.action_labels import action_label
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.second_factors import code_of, give_phone
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

SESSIONS = "/admin/sessions/"
END = "/admin/sessions/end/"
SECURITY = "/admin/security/"
END_OWN = "/admin/security/end/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROMIUM = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
SAFARI = (
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.0 Safari/604.1"
)


def logged_in(someone: User, browser: str = FIREFOX, address: str = "192.0.2.7") -> Client:
    """A browser that has logged in on the login page, in English."""
    client = Client(REMOTE_ADDR=address, headers={"User-Agent": browser})
    client.cookies["django_language"] = "en"
    client.post("/admin/login/", {"username": someone.username, "password": PASSWORD})
    if has_factor(someone):
        Authenticator.objects.filter(user=someone).delete()
        give_phone(someone)  # as if half a minute had gone by since the last login
        client.post("/admin/login/second/", {"code": code_of(someone)})
    return client


def session_of(client: Client) -> OpenSession:
    """The row of the browser's session."""
    return OpenSession.objects.get(session_key=client.cookies["sessionid"].value)


@pytest.fixture
def supervisor() -> User:
    """A person who is logged in."""
    return person("supervisor")


@pytest.fixture
def administrator() -> Client:
    """A browser of the administrator."""
    return logged_in(person("administrator"))


class TestASession:
    def test_has_person_browser_and_address(self, supervisor: User) -> None:
        """From the login on."""
        before = timezone.now()

        session = session_of(logged_in(supervisor, SAFARI, "198.51.100.9"))

        assert (session.user, session.browser) == (supervisor, SAFARI)
        assert session.address == "198.51.100.9"
        assert session.started_at is not None
        assert before <= session.started_at <= session.seen_at

    def test_is_marked_as_seen_once_a_minute(self, supervisor: User) -> None:
        """By one statement; other pages take no extra query."""
        browser = logged_in(supervisor)
        browser.get(SECURITY)
        started = session_of(browser).started_at

        def writes() -> int:
            with CaptureQueriesContext(connection) as queries:
                browser.get(SECURITY)
            return sum(query["sql"].startswith("UPDATE") for query in queries)

        fresh = writes()
        OpenSession.objects.update(seen_at=F("seen_at") - timedelta(seconds=61))
        then = timezone.now()
        stale, again = writes(), writes()

        assert (fresh, stale, again) == (0, 1, 0)
        assert session_of(browser).seen_at >= then
        assert session_of(browser).started_at == started

    def test_keeps_where_it_began_when_it_is_saved_again(self, supervisor: User) -> None:
        """Handle and start survive a new session key."""
        browser = logged_in(supervisor)
        before = session_of(browser)

        words = {"old_password": PASSWORD}
        words |= dict.fromkeys(["new_password1", "new_password2"], "a blank shoe card")
        browser.post("/admin/password_change/", words)

        after = session_of(browser)
        assert before.session_key != after.session_key
        assert (before.handle, before.started_at) == (after.handle, after.started_at)
        assert audit_records("PASSWORD_CHANGED")[0][2]["account"] == "supervisor"

    def test_that_expired_is_deleted_at_the_next_login(self, supervisor: User) -> None:
        """So that the table does not grow."""
        logged_in(supervisor)
        OpenSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

        logged_in(supervisor)

        assert OpenSession.objects.count() == 1

    def test_is_recorded_at_logout(self, supervisor: User) -> None:
        """By LOGGED_OUT."""
        logged_in(supervisor).post("/admin/logout/")

        assert [subject for _, subject, _ in audit_records("LOGGED_OUT")] == [
            f"user:{supervisor.pk}"
        ]
        assert OpenSession.objects.count() == 0


class TestTheListOfAll:
    def test_lists_persons_browsers_and_addresses(
        self, administrator: Client, supervisor: User
    ) -> None:
        """Person, role, browser and address."""
        logged_in(supervisor, SAFARI, "198.51.100.9")

        page = administrator.get(SESSIONS).content.decode()

        for text in ("Supervisor", "Safari on iPad", "198.51.100.9", "Firefox on Linux"):
            assert text in page
        assert page.count("this session") == 1

    def test_shows_no_key(self, administrator: Client, supervisor: User) -> None:
        """Session keys are secret."""
        keys = [session_of(client).session_key for client in (administrator, logged_in(supervisor))]

        page = administrator.get(SESSIONS).content.decode()

        assert [key for key in keys if key in page] == []

    def test_leaves_out_what_is_over(self, administrator: Client, supervisor: User) -> None:
        """Expired sessions, closed accounts, unfinished logins."""
        logged_in(supervisor)
        OpenSession.objects.filter(user=supervisor).update(expire_date=timezone.now())
        closed = person("payments")
        logged_in(closed)
        User.objects.filter(pk=closed.pk).update(is_active=False)

        assert administrator.get(SESSIONS).content.decode().count('<td class="two-lines">') == 1

    def test_takes_a_bounded_number_of_queries(
        self, administrator: Client, supervisor: User
    ) -> None:
        """For any number of sessions."""

        def queries() -> int:
            with CaptureQueriesContext(connection) as requested:
                administrator.get(SESSIONS)
            return len(requested)

        queries()
        before = queries()
        for _ in range(3):
            logged_in(supervisor)

        assert queries() == before

    def test_ends_any_session(self, administrator: Client, supervisor: User) -> None:
        """At once, and recorded with its address."""
        other_browser = logged_in(supervisor, SAFARI, "198.51.100.9")
        session = session_of(other_browser)

        page = administrator.post(END, {"session": session.handle}, follow=True).content.decode()

        assert "1 session ended." in page
        assert other_browser.get("/admin/")["Location"].startswith("/admin/login/")
        [(actor, subject, details)] = audit_records("SESSION_ENDED")
        assert (actor, subject) == ("administrator", f"user:{supervisor.pk}")
        assert (details["session_address"], details["browser"]) == ("198.51.100.9", SAFARI)

    @pytest.mark.parametrize("handle", ["", "nothing", "1\0", "x" * 60_000])
    def test_ends_no_unknown_session(self, administrator: Client, handle: str) -> None:
        """It is no error."""
        page = administrator.post(END, {"session": handle}, follow=True)

        assert "The session had already ended." in page.content.decode()


class TestOwnSessions:
    def test_are_listed_without_those_of_other_people(self, supervisor: User) -> None:
        """On the page Security."""
        logged_in(person("payments"), SAFARI)

        page = logged_in(supervisor).get(SECURITY).content.decode()

        assert "Firefox on Linux" in page
        assert "Safari" not in page

    def test_are_ended_by_their_owner(self, supervisor: User) -> None:
        """Other sessions stay open."""
        browser, other_browser = logged_in(supervisor), logged_in(supervisor, SAFARI)

        browser.post(END_OWN, {"session": session_of(other_browser).handle})

        assert other_browser.get(SECURITY).status_code == 302
        assert browser.get(SECURITY).status_code == 200

    def test_are_ended_except_the_current_one(self, supervisor: User) -> None:
        """By one button."""
        here = logged_in(supervisor)
        others = [logged_in(supervisor) for _ in range(2)]

        page = here.post(END_OWN, follow=True).content.decode()

        assert "2 sessions ended." in page
        assert [other.get(SECURITY).status_code for other in others] == [302, 302]

    def test_exclude_those_of_other_people(self, supervisor: User) -> None:
        """Not even with the right handle."""
        other_browser = logged_in(person("payments"))

        logged_in(supervisor).post(END_OWN, {"session": session_of(other_browser).handle})

        assert other_browser.get(SECURITY).status_code == 200


class TestABrowser:
    @pytest.mark.parametrize(
        ("descriptions", "words"),
        [
            (FIREFOX, "Firefox on Linux"),
            (SAFARI, "Safari on iPad"),
            (f"{CHROMIUM.format('Windows NT 10.0; Win64; x64')} Edg/142.0.0.0", "Edge on Windows"),
            (CHROMIUM.format("Linux; Android 15"), "Chrome on Android"),
            (CHROMIUM.format("Macintosh; Intel Mac OS X 10_15_7"), "Chrome on macOS"),
            ("curl/8.5.0", "unknown"),
            ("", "unknown"),
        ],
    )
    def test_is_named_in_words(self, descriptions: str, words: str) -> None:
        """For any user agent."""
        assert browser_label(descriptions) in {words, words.replace("unknown", "sconosciuto")}

    @pytest.mark.parametrize("action", ["SESSION_ENDED", "LOGGED_OUT", "PASSWORD_CHANGED"])
    def test_has_labels_for_its_actions(self, action: str) -> None:
        """For the page of audit records."""
        assert action_label(action) != action
