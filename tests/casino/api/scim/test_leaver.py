"""A person leaves: sessions and keys end within the request of the directory."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import requests
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.access.models import OpenSession
from casino.integrations.issue_key import IssuedKey, NewKey, issue_key
from casino.integrations.models import ApiKey, KeyRevocation
from casino.integrations.rotate_key import rotate_key
from compliance.trail.people import actor_of
from tests.casino.api.api_client import issued
from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import USERS, Directory, directory_key, patch
from tests.casino.api.web_server import serving
from tests.casino.backoffice.second_factors import give_phone
from tests.compliance.trail.audit_records import audit_records

_LEAVES = patch({"op": "Replace", "path": "active", "value": "False"})


@contextmanager
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A running server with two processes, which reads sessions that the test makes."""
    monkeypatch.setenv("SECRET_KEY", settings.SECRET_KEY)
    with serving(folder, processes=2) as (address, _pid):
        yield address


def key_of(user: User) -> IssuedKey:
    """A key that this person has issued."""
    new = NewKey(kind="studio", owner="Live Studio", scopes=["rounds:read"])
    return issue_key(new=new, at=timezone.now(), actor=actor_of(user))


def bearer(token: str) -> dict[str, str]:
    """The header of a key."""
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.slow
def test_a_leaver_is_out_when_the_directory_has_its_answer(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logged in, with a key: the next request of both is refused."""
    others = [managed(name, "administrator") for name in ("bruno", "carla")]
    leaver = managed("ada", "auditor")
    give_phone(leaver)
    key, browser = key_of(leaver).token, Client()
    browser.force_login(leaver)
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    directory = bearer(directory_key().token)

    with site(tmp_path, monkeypatch) as address:
        page, call = f"{address}/admin/lists/tables/export.csv", f"{address}/api/v1/me"
        before = (
            requests.get(page, cookies=cookies, allow_redirects=False, timeout=60).status_code,
            requests.get(call, headers=bearer(key), timeout=60).status_code,
        )
        closed = requests.patch(
            f"{address}{USERS}/{leaver.pk}", json=_LEAVES, headers=directory, timeout=60
        )
        after = (
            requests.get(page, cookies=cookies, allow_redirects=False, timeout=60),
            requests.get(call, headers=bearer(key), timeout=60),
        )

    assert before == (200, 200)
    assert (closed.status_code, closed.json()["active"]) == (200, False)
    assert [answer.status_code for answer in after] == [302, 401]
    assert "/login/" in after[0].headers["Location"]
    assert not OpenSession.objects.filter(user=leaver).exists()
    assert len(audit_records("SESSION_ENDED")) == 1
    assert all(User.objects.get(pk=other.pk).is_active for other in others)


@pytest.mark.django_db
class TestKeys:
    @pytest.fixture
    def leaver(self) -> User:
        """An auditor by now, who has issued keys."""
        return managed("ada", "auditor")

    def revoked(self) -> set[str]:
        """The handles of the keys that are revoked."""
        return set(KeyRevocation.objects.values_list("key__handle", flat=True))

    def test_whose_token_the_leaver_has_seen_end(self, directory: Directory, leaver: User) -> None:
        """By closing or by DELETE; others stay."""
        own, other = key_of(leaver), issued()

        assert directory.call("DELETE", f"{USERS}/{leaver.pk}").status_code == 204

        assert self.revoked() == {own.key.handle}
        [(actor, subject, details)] = audit_records("API_KEY_REVOKED")
        assert actor.startswith("Entra ID (key ")
        assert subject == f"key:{own.key.handle}"
        assert "ada" in details["reason"]
        assert ApiKey.objects.filter(pk=other.key.pk, revocation=None).exists()

    def test_that_others_have_rotated_stay(self, directory: Directory, leaver: User) -> None:
        """Unless the leaver's secret is valid for a while."""
        now, successor = timezone.now(), actor_of(managed("bruno", "administrator"))
        handed, overlapping = key_of(leaver), key_of(leaver)
        for key, overlap in ((handed, timedelta()), (overlapping, timedelta(days=7))):
            rotate_key(key_id=key.key.pk, seen=1, overlap=overlap, at=now, actor=successor)

        directory.closes(leaver)

        assert self.revoked() == {overlapping.key.handle}

    def test_of_the_directory_itself_stays(self, leaver: User) -> None:
        """It has others to close."""
        directory = Directory(directory_key(by=actor_of(leaver)).token)

        assert directory.closes(leaver).status_code == 200
        assert directory.closes(leaver).status_code == 200
        assert self.revoked() == set()

    def test_are_not_touched_by_a_change_of_the_name(
        self, directory: Directory, leaver: User
    ) -> None:
        """The control."""
        key_of(leaver)

        directory.patch(leaver, {"op": "replace", "path": "name.givenName", "value": "Adele"})

        assert self.revoked() == set()
