"""A directory's key opens SCIM and nothing else; no other key opens SCIM; SQL gives no role."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.access.directory.memberships import wanted_roles
from casino.access.models import DirectoryMembership
from casino.api import views
from casino.integrations import issue_key
from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_key
from casino.integrations.scopes import OF_PROGRAMS, Open
from compliance.storage.database_roles.rights import rights_of
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from rounds.field_errors import InvalidField
from tests.attacks.access.directory_roles import roles_of
from tests.attacks.forgeries import as_web
from tests.casino.api.addresses import PLACES
from tests.casino.api.addresses import views as api_views
from tests.casino.api.api_client import Program, issued, slug_of
from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import USERS, Directory, directory_key, person
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestKeys:
    @pytest.mark.parametrize("scope", [scope.value for scope in OF_PROGRAMS])
    def test_of_another_scope_do_not_call_scim(self, scope: str) -> None:
        """Reading included."""
        directory = Directory(issued(scopes=[scope]).token)

        for method, path in (("GET", USERS), ("POST", USERS), ("GET", "/scim/v2/Schemas")):
            answer = directory.call(method, path, person("lia") if method == "POST" else None)
            assert (answer.status_code, answer.json()["status"]) == (403, "403")
            assert "directory:manage" in answer.json()["detail"]
        assert not User.objects.exists()

    def test_of_a_directory_call_nothing_else(self) -> None:
        """Each call of the API that needs a key refuses it, with the scope that is too much."""
        program = Program(directory_key().token)
        refused = 0

        for pattern, view in api_views().items():
            for method, needed in view.required_scopes.items():
                if needed is Open.TO_ALL or pattern not in PLACES:
                    continue
                path = PLACES[pattern].replace("{", "").replace("}", "")
                answer = program.call(method, f"/api/v1/{path}", {"Idempotency-Key": "k"})
                if answer.status_code == 404:  # no address at all: its ids are made up
                    continue
                assert (answer.status_code, slug_of(answer)) == (403, "scope-missing"), path
                refused += 1

        assert refused >= 25

    def test_without_the_guard_they_read_themselves(self) -> None:
        """Calls without a scope are open to every other key."""
        program = Program(directory_key().token)
        assert program.get("/api/v1/me").status_code == 403

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(views, "check_is_directory", lambda *_, **__: None)
            assert program.get("/api/v1/me").status_code == 200

    @pytest.mark.parametrize(
        "fields",
        [
            {"scopes": ["directory:manage", "rounds:read"]},
            {"scopes": ["rounds:read"]},
            {"kind": "studio"},
            {"tables": ["bac-1"]},
        ],
    )
    def test_have_that_scope_alone(self, fields: dict[str, Any]) -> None:
        """No key is both."""
        with pytest.raises(InvalidField):
            directory_key(**fields)
        assert not ApiKey.objects.exists()

    def test_with_two_scopes_past_the_page_call_scim_alone(self) -> None:
        """A row that the web role writes itself."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(issue_key, "_check_kind_fits_scopes", lambda _new: None)
            with as_web():
                token = issued(scopes=["rounds:read", "directory:manage"]).token

        assert Program(token).get("/api/v1/rounds").status_code == 403
        assert Directory(token).get(USERS).status_code == 200

    def test_that_were_revoked_change_nothing(self, directory: Directory) -> None:
        """From the next call on."""
        lia = directory.joins("lia")
        key = ApiKey.objects.get()
        revoke_key(key_id=key.pk, reason="leaked", at=timezone.now(), actor=Actor("ada", 1))

        assert directory.closes(lia).status_code == 401
        assert User.objects.get(pk=lia.pk).is_active

    def test_are_not_replaced_by_a_session(self, administrators: list[User]) -> None:
        """An administrator's cookies are no key."""
        browser = Client()
        browser.force_login(administrators[0])

        answer = browser.post(USERS, json.dumps(person("lia")), "application/scim+json")

        assert (answer.status_code, answer.json()["status"]) == (401, "401")


class TestTheDatabase:
    def test_grants_web_no_more_than_before(self) -> None:
        """It writes what the directory said, and changes none of it."""
        assert set(rights_of(DatabaseRole.WEB, "casino_directorymembership")) == {
            "SELECT",
            "INSERT",
        }
        assert "DELETE" not in rights_of(DatabaseRole.WEB, "auth_user")
        for role in (DatabaseRole.WORKER, DatabaseRole.FEED, DatabaseRole.EXPORTER):
            for table in ("casino_directoryaccount", "casino_directorymembership"):
                assert "INSERT" not in rights_of(role, table)

    def test_gives_no_role_for_a_forged_membership(self, settings: Settings) -> None:
        """A row of the web role asks; nothing is given, and nothing is proven."""
        settings.DIRECTORY_ROLES = ["casino-supervisors=supervisor"]
        nino = managed("nino")
        with as_web():
            DirectoryMembership.objects.create(
                person=nino, role="supervisor", is_member=True, at=timezone.now(), actor="x"
            )

        assert [wanted.person for wanted in wanted_roles()] == [nino]
        assert roles_of(nino) == set()


def test_a_password_in_a_body_is_not_stored(directory: Directory) -> None:
    """Neither in an account nor in the log."""
    directory.call("POST", USERS, person("lia") | {"password": "hunter2hunter2"})

    assert not User.objects.exists()
    assert audit_records("API_CALLED")
    assert "hunter2" not in str(audit_records("API_CALLED"))
