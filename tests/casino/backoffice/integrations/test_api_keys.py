"""API keys in the back office: issued, shown once, rotated, revoked (issue 8, point 1)."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.access.roles import ADMINISTRATOR, MONEY_DECIDER_ROLES, grant_roles
from casino.backoffice.integrations.keys import MANAGE
from casino.integrations.models import ApiKey, KeyRevocation, KeySecret
from casino.integrations.tokens import parse_token
from tests.casino.api.api_client import issued
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.second_factors import code_of, forget_confirmation, give_phone
from tests.compliance.trail.audit_records import audit_records

LIST = "/admin/keys/"
NEW = "/admin/keys/new/"
FORM = {
    "kind": "studio",
    "owner": "Live Studio",
    "scopes": ["rounds:write", "rounds:read"],
    "networks": "192.0.2.0/24, 198.51.100.9",
    "tables": "",
    "calls_per_minute": "600",
    "expires_at": "",
}


@pytest.fixture
def somebody(db: None) -> User:
    """The administrator, who has a phone."""
    administrator = person(ADMINISTRATOR)
    give_phone(administrator)
    return administrator


@pytest.fixture
def administrator(somebody: User) -> Client:
    """A browser with a recent second factor."""
    return reader(somebody)


def token_in(page: str) -> str:
    """The token that a page shows."""
    [token] = re.findall(r'id="token">([^<]+)<', page)
    return str(token)


class TestIssuing:
    def test_shows_the_token_once(self, administrator: Client) -> None:
        """Only its digest is stored."""
        answer = administrator.post(NEW, FORM)

        token = parse_token(token_in(answer.content.decode()))
        key, secret = ApiKey.objects.get(), KeySecret.objects.get()
        assert token is not None
        assert token.fits(secret.digest)
        assert "no-store" in answer.headers["Cache-Control"]
        assert token.text not in administrator.get(f"{LIST}{key.pk}/").content.decode()
        assert key.networks == ["192.0.2.0/24", "198.51.100.9/32"]
        [(actor, subject, details)] = audit_records("API_KEY_ISSUED")
        assert (actor, subject) == ("administrator", f"key:{key.handle}")
        assert details["scopes"] == ["rounds:write", "rounds:read"]

    @pytest.mark.parametrize(
        ("field", "text", "words"),
        [
            ("networks", "192.0.2.7/24", "Found 192.0.2.7/24; expected IP addresses or networks"),
            ("tables", "bac-9", "Found bac-9; expected codes of registered tables"),
            ("owner", "  ", "This field is required."),
            ("scopes", [], "This field is required."),
            ("kind", "customer", "Select a valid choice."),
            ("kind", "directory", "expected directory:manage alone, for the key of a directory"),
            ("scopes", ["directory:manage"], "expected directory, or other scopes than"),
            ("expires_at", "2020-01-01T00:00", "expected a time in the future"),
            ("calls_per_minute", "0", "greater than or equal to 1"),
        ],
    )
    def test_says_at_its_field_what_is_wrong(
        self, administrator: Client, field: str, text: object, words: str
    ) -> None:
        """No key is issued."""
        answer = administrator.post(NEW, {**FORM, field: text})

        assert words in answer.content.decode()
        assert not ApiKey.objects.exists()

    def test_issues_the_key_of_a_directory(self, administrator: Client) -> None:
        """With the one scope that it may have."""
        form = {**FORM, "kind": "directory", "scopes": ["directory:manage"], "networks": ""}

        token = token_in(administrator.post(NEW, form).content.decode())

        authorization = {"Authorization": f"Bearer {token}"}
        assert Client().get("/scim/v2/Users", headers=authorization).status_code == 200

    def test_asks_for_a_second_factor(self, somebody: User) -> None:
        """Without one no key is issued."""
        browser = Client()
        browser.force_login(somebody)
        forget_confirmation(browser)
        browser.cookies["django_language"] = "en"

        without = browser.post(NEW, FORM).content.decode()
        assert "Enter the six-digit code from your phone." in without
        assert not ApiKey.objects.exists()
        browser.post(NEW, {**FORM, "code": code_of(somebody)})

        assert ApiKey.objects.exists()


class TestAKey:
    def test_is_rotated_with_an_overlap(self, administrator: Client) -> None:
        """The page says until when the earlier token works."""
        key = issued().key

        answer = administrator.post(f"{LIST}{key.pk}/rotate/", {"seen": 1, "overlap": "24"})

        token = parse_token(token_in(answer.content.decode()))
        latest = key.secrets.latest("sequence")
        assert token is not None
        assert token.fits(latest.digest)
        assert latest.earlier_until - latest.made_at == timedelta(days=1)
        assert "Rotating" in plain(administrator, LIST)

    def test_is_not_rotated_by_two_at_once(self, administrator: Client) -> None:
        """The second of two persons is refused."""
        key = issued().key
        administrator.post(f"{LIST}{key.pk}/rotate/", {"seen": 1, "overlap": "0"})

        page = administrator.post(
            f"{LIST}{key.pk}/rotate/", {"seen": 1, "overlap": "0"}, follow=True
        )

        assert "by another user" in page.content.decode()
        assert key.secrets.count() == 2

    def test_is_revoked_with_a_reason(self, administrator: Client) -> None:
        """The page has actor, time and reason, and no more actions."""
        key = issued().key
        reason = {"reason": "found in a log", "sure": "on"}

        administrator.post(f"{LIST}{key.pk}/revoke/", reason)

        words = plain(administrator, f"{LIST}{key.pk}/")
        assert "administrator: found in a log" in words
        assert "Create a new secret" not in words
        again = administrator.post(f"{LIST}{key.pk}/revoke/", reason, follow=True)
        assert "by another user" in again.content.decode()

    @pytest.mark.parametrize(
        ("action", "fields"),
        [
            ("rotate", {"seen": "1", "overlap": "0"}),
            ("revoke", {"reason": "found in a log", "sure": "on"}),
        ],
    )
    def test_is_changed_with_a_fresh_second_factor(
        self, administrator: Client, action: str, fields: dict[str, str]
    ) -> None:
        """An unattended session neither sees a token nor stops a program."""
        key = issued().key
        forget_confirmation(administrator)

        for code in ("", "000000"):
            administrator.post(f"{LIST}{key.pk}/{action}/", {**fields, "code": code})

        assert key.secrets.count() == 1
        assert not KeyRevocation.objects.exists()

    @pytest.mark.parametrize("fields", [{"reason": "", "sure": "on"}, {"reason": "lost"}])
    def test_is_not_revoked_without_reason_and_checkbox(
        self, administrator: Client, fields: dict[str, str]
    ) -> None:
        """Both are required."""
        administrator.post(f"{LIST}{issued().key.pk}/revoke/", fields)

        assert not KeyRevocation.objects.exists()

    def test_is_listed_with_its_status(self, administrator: Client) -> None:
        """In force, and expired."""
        then = timezone.now()
        issued(owner="Studio A")
        issued(owner="Studio B", at=then - timedelta(days=2), expires_at=then - timedelta(days=1))

        words = plain(administrator, LIST)

        assert re.search(r"Studio A\s+Customer service\s+In force", words)
        assert re.search(r"Studio B\s+Customer service\s+Expired", words)


class TestADeciderAboutMoney:
    def test_issues_no_keys(self, db: None) -> None:
        """Only administrators issue keys (issue 8, point 1)."""
        codename = MANAGE.partition(".")[2]
        may = [
            role
            for role, group in grant_roles().items()
            if group.permissions.filter(codename=codename).exists()
        ]

        assert may == [ADMINISTRATOR]
        assert not set(may) & set(MONEY_DECIDER_ROLES)
