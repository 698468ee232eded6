"""Accounts changed by SCIM, in the ways of several directories."""

from typing import Any

import pytest

from casino.access.models import AccessNotice
from tests.casino.api.scim.directories import ENTERPRISE, USERS, Directory, person
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestChanging:
    @pytest.mark.parametrize(
        "operation",
        [
            {
                "op": "Replace",
                "path": 'emails[type eq "work"].value',
                "value": "new@casino.example",
            },
            {"op": "Add", "path": "emails", "value": [{"value": "new@casino.example"}]},
            {"op": "replace", "value": {"emails": [{"value": "new@casino.example"}]}},
            {"op": "replace", "value": {'emails[type eq "work"].value': "new@casino.example"}},
        ],
    )
    def test_the_address_notifies_the_former_one(
        self, directory: Directory, operation: dict[str, Any]
    ) -> None:
        """As a change on the page does."""
        user = directory.joins("lia")

        answer = directory.patch(user, operation)

        assert answer.json()["emails"] == [{"value": "new@casino.example", "type": "work"}]
        notices = AccessNotice.objects.filter(action="ACCOUNT_CHANGED")
        notified = notices.values_list("email", flat=True)
        assert set(notified) == {"lia@casino.example", "new@casino.example"}

    @pytest.mark.parametrize(
        "operations",
        [
            [{"op": "Add", "path": "name.givenName", "value": "Lea"}],
            [{"op": "replace", "value": {"name.givenName": "Lea", "title": "x"}}],
            [{"op": "replace", "value": {"name": {"givenName": "Lea"}}}],
            [
                {"op": "add", "path": f"{ENTERPRISE}:department", "value": "x"},
                {"op": "Replace", "path": "name.givenName", "value": "Lea"},
            ],
        ],
    )
    def test_the_name(self, directory: Directory, operations: list[dict[str, Any]]) -> None:
        """In the ways of Entra ID and Okta."""
        user = directory.joins("lia")

        assert directory.patch(user, *operations).status_code == 200

        user.refresh_from_db()
        assert (user.first_name, user.last_name) == ("Lea", "Neri")

    def test_everything_by_put(self, directory: Directory) -> None:
        """What is absent is removed, but not whether the account is active."""
        user = directory.joins("lia")
        directory.closes(user)
        body = person("lia", name={"familyName": "Bassi"})
        del body["active"], body["externalId"]

        answer = directory.call("PUT", f"{USERS}/{user.pk}", body)

        user.refresh_from_db()
        assert (answer.status_code, user.first_name, user.last_name) == (200, "", "Bassi")
        assert (user.is_active, user.directory.external_id) == (False, None)

    def test_nothing_leaves_no_record(self, directory: Directory) -> None:
        """A directory repeats itself every forty minutes."""
        user = directory.joins("lia")

        for _ in range(2):
            directory.call("PUT", f"{USERS}/{user.pk}", person("lia"))

        assert audit_records("ACCOUNT_CHANGED") == []

    def test_another_version_is_refused(self, directory: Directory) -> None:
        """If-Match."""
        user = directory.joins("lia")
        version = directory.get(f"{USERS}/{user.pk}")["ETag"]
        name = {"op": "replace", "path": "name.givenName", "value": "Lea"}

        first = directory.patch(user, name, **{"If-Match": version})
        second = directory.patch(user, name, **{"If-Match": version})

        assert (first.status_code, second.status_code) == (200, 412)

    @pytest.mark.parametrize(
        ("operation", "scim_type"),
        [
            ({"op": "remove", "path": "userName"}, "mutability"),
            ({"op": "remove", "path": "emails"}, "mutability"),
            ({"op": "remove"}, "noTarget"),
            ({"op": "move", "path": "active", "value": True}, "invalidValue"),
            ({"op": "replace", "path": "name[", "value": "x"}, "invalidPath"),
            ({"op": "replace", "path": "groups", "value": []}, "mutability"),
            ({"op": "replace", "path": "password", "value": "x"}, "invalidValue"),
            ({"op": "replace", "value": {"password": "x"}}, "invalidValue"),
            ("replace", "invalidValue"),
        ],
    )
    def test_what_cannot_be_changed_is_refused(
        self, directory: Directory, operation: Any, scim_type: str
    ) -> None:
        """With SCIM's word for it."""
        user = directory.joins("lia")

        answer = directory.patch(user, operation)

        assert (answer.status_code, answer.json().get("scimType")) == (400, scim_type)
