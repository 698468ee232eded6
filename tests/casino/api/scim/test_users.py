"""Accounts by SCIM: joined, closed and reopened, as directories write it."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from casino.access.account_status import status_of
from casino.access.models import AccessNotice, DirectoryAccount
from tests.casino.api.scim.directories import ENTERPRISE, USERS, Directory, directory_key, person
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestJoining:
    def test_makes_an_account_without_role_and_password(self, directory: Directory) -> None:
        """The answer is the resource, with its address and version."""
        answer = directory.call("POST", USERS, person("lia"))

        user, made = User.objects.get(username="lia"), answer.json()
        assert (answer.status_code, answer["Content-Type"]) == (201, "application/scim+json")
        assert (user.is_active, user.is_staff, user.has_usable_password()) == (True, True, False)
        assert not user.groups.exists()
        assert not status_of(user).must_change_password
        assert made["id"] == str(user.pk)
        assert made["externalId"] == user.directory.external_id == "id-of-lia"
        assert made["emails"] == [{"value": "lia@casino.example", "type": "work"}]
        assert (
            answer["Location"] == made["meta"]["location"] == f"http://testserver{USERS}/{user.pk}"
        )
        assert answer["ETag"] == made["meta"]["version"]

    def test_is_on_record_and_known_to_the_person(self, directory: Directory) -> None:
        """The actor is the directory's key."""
        user = directory.joins("lia")

        [(actor, subject, details)] = audit_records("ACCOUNT_CREATED")
        assert actor.startswith("Entra ID (key ")
        assert (subject, details["after"]["username"]) == (f"user:{user.pk}", "lia")
        assert AccessNotice.objects.filter(about=user, action="ACCOUNT_CREATED").exists()

    def test_ignores_what_sabot_does_not_keep(self, directory: Directory) -> None:
        """Titles, telephone numbers, extensions, and an identifier of the sender."""
        others = {"title": "Ms", "phoneNumbers": [{"value": "1"}], ENTERPRISE: {"department": "x"}}

        user = directory.joins("lia", displayName="Lia N.", id="99", **others)

        assert str(user.pk) != "99"

    def test_takes_the_primary_address(self, directory: Directory) -> None:
        """Of several."""
        home = {"type": "home", "value": "lia@home.example"}
        work = {"type": "work", "value": "lia@casino.example", "primary": True}

        assert directory.joins("lia", emails=[home, work]).email == "lia@casino.example"

    def test_may_be_for_later(self, directory: Directory) -> None:
        """An account that the directory opens afterwards."""
        user = directory.joins("lia", active="False")
        assert not user.is_active

        directory.patch(user, {"op": "replace", "value": {"active": True}})

        assert User.objects.get(pk=user.pk).is_active

    @pytest.mark.parametrize(
        ("fields", "scim_type", "names"),
        [
            ({"userName": "a b"}, "invalidValue", "userName"),
            ({"userName": "x" * 151}, "invalidValue", "userName"),
            ({"emails": [{"value": "nowhere"}]}, "invalidValue", "emails.value"),
            ({"emails": []}, "invalidValue", "emails"),
            ({"name": {"givenName": "x" * 151}}, "invalidValue", "name.givenName"),
            ({"externalId": "x" * 256}, "invalidValue", "externalId"),
            ({"active": "perhaps"}, "invalidValue", "active"),
            ({"password": "hunter2hunter2"}, "invalidValue", "password"),
            ({"schemas": ["urn:other"]}, "invalidSyntax", "schemas"),
        ],
    )
    def test_is_refused_with_the_field(
        self, directory: Directory, fields: dict[str, Any], scim_type: str, names: str
    ) -> None:
        """A clear error, and no account."""
        answer = directory.call("POST", USERS, person("lia", **fields))

        error = answer.json()
        assert (answer.status_code, error["status"]) == (400, "400"), error
        assert (error["scimType"], names in error["detail"]) == (scim_type, True), error
        assert not User.objects.exists()

    @pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff", b'{"a":1,"a":2}'])
    def test_needs_json(self, directory: Directory, body: bytes) -> None:
        """An object."""
        answer = directory.call("POST", USERS, body)

        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidSyntax")

    def test_needs_an_identifier_of_its_own(self, directory: Directory) -> None:
        """User names are compared without regard to case."""
        directory.joins("lia")

        same_name = directory.call("POST", USERS, person("LIA", externalId="2"))
        same_id = directory.call("POST", USERS, person("lea", externalId="id-of-lia"))

        for answer, field in ((same_name, "userName"), (same_id, "externalId")):
            assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
            assert field in answer.json()["detail"]
        assert User.objects.count() == 1


class TestClosing:
    def test_ends_the_roles_and_reopening_gives_none_back(
        self, directory: Directory, supervisor: User
    ) -> None:
        """The account that the directory reopens can do nothing."""
        supervisor.set_password("a shuffled shoe")
        supervisor.save()

        closed = directory.closes(supervisor)
        reopened = directory.patch(supervisor, {"op": "replace", "path": "active", "value": True})

        supervisor.refresh_from_db()
        assert (closed.json()["active"], reopened.json()["active"]) == (False, True)
        assert (supervisor.is_active, supervisor.groups.exists()) == (True, False)
        assert not supervisor.has_usable_password()
        [(actor, _subject, details)] = audit_records("ACCESS_REDUCED")
        assert actor.startswith("Entra ID (key ")
        assert (details["roles_before"], details["roles_after"]) == (["supervisor"], [])

    def test_by_delete_ends_the_management(self, directory: Directory, supervisor: User) -> None:
        """The account stays for the records that name it, invisible to the directory."""
        answer = directory.call("DELETE", f"{USERS}/{supervisor.pk}")

        supervisor.refresh_from_db()
        assert (answer.status_code, answer.content, supervisor.is_active) == (204, b"", False)
        assert directory.get(f"{USERS}/{supervisor.pk}").status_code == 404
        assert directory.call("DELETE", f"{USERS}/{supervisor.pk}").status_code == 404
        assert not DirectoryAccount.objects.exists()
        assert directory.call("POST", USERS, person("nino")).status_code == 409

    def test_by_an_administrator_is_undone_by_none_but_administrators(
        self, directory: Directory, supervisor: User
    ) -> None:
        """A clear error instead."""
        User.objects.filter(pk=supervisor.pk).update(is_active=False)

        answer = directory.patch(supervisor, {"op": "replace", "path": "active", "value": True})

        assert (answer.status_code, "active" in answer.json()["detail"]) == (403, True)
        assert not User.objects.get(pk=supervisor.pk).is_active


class TestEveryAddress:
    def test_answers_in_the_format_of_scim(self, directory: Directory) -> None:
        """Also where there is nothing."""
        for path in ("nowhere", "Users/none", f"Users/{2**70}", "Groups/none", "Schemas/none"):
            answer = directory.get(f"/scim/v2/{path}")

            error = answer.json()
            assert (answer.status_code, error["status"]) == (404, "404"), path
            assert error["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
            assert answer["Content-Type"] == "application/scim+json"
        assert directory.call("PUT", USERS, {}).status_code == 405

    def test_has_a_largest_body(self, directory: Directory) -> None:
        """A MiB, refused before it is read."""
        answer = directory.call("POST", USERS, b'{"a":"' + b"x" * (1 << 20) + b'"}')

        assert (answer.status_code, answer.json()["status"]) == (413, "413")

    def test_has_the_rate_of_the_key(self) -> None:
        """429, with the time to wait."""
        directory = Directory(directory_key(calls_per_minute=2).token)
        answers = [directory.get(USERS) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[-1]["Retry-After"]) > 0
        assert answers[-1].json()["status"] == "429"

    def test_has_a_description(self, directory: Directory) -> None:
        """Types, schemas and the configuration."""
        types = directory.get("/scim/v2/ResourceTypes").json()["Resources"]
        schema = directory.get(f"/scim/v2{'/Schemas/'}{types[0]['schema']}").json()
        config = directory.get("/scim/v2/ServiceProviderConfig").json()

        assert [kind["endpoint"] for kind in types] == ["/Users", "/Groups"]
        names = {attribute["name"] for attribute in schema["attributes"]}
        assert names == {"externalId", "userName", "name", "active", "emails", "groups"}
        assert (config["patch"]["supported"], config["bulk"]["supported"]) == (True, False)
