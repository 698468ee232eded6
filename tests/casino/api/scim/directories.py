"""A directory of the staff for tests: its key, its calls, and what it says about people."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.integrations.issue_key import IssuedKey, NewKey, issue_key
from compliance.trail.actor import Actor
from tests.casino.api.api_client import HERE

USERS: Final = "/scim/v2/Users"
GROUPS: Final = "/scim/v2/Groups"
ROLES: Final = ["casino-supervisors=supervisor", "casino-auditors=auditor"]
ENTERPRISE: Final = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
USER: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP: Final = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH: Final = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
ISSUER: Final = Actor("Zeno Riva", 7_000)


def directory_key(*, by: Actor = ISSUER, **fields: Any) -> IssuedKey:
    """A key of the directory."""
    new = {"kind": "directory", "owner": "Entra ID", "scopes": ["directory:manage"], **fields}
    return issue_key(new=NewKey(**new), at=timezone.now(), actor=by)


class Directory:
    """A directory that calls Sabot by SCIM."""

    def __init__(self, token: str = "") -> None:
        self._client = Client(REMOTE_ADDR=HERE, raise_request_exception=False)
        self._token = token or directory_key().token

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Sends a call; the body is JSON."""
        answer: Any = self._client.generic(
            method,
            path,
            data=b"" if body is None else _json(body),
            content_type="application/scim+json",
            headers={"Authorization": f"Bearer {self._token}", **headers},
        )
        return answer

    def get(self, path: str, **headers: str) -> Any:
        """Reads an address."""
        return self.call("GET", path, **headers)

    def joins(self, name: str, /, **fields: Any) -> User:
        """Creates an account; returns it."""
        answer = self.call("POST", USERS, person(name, **fields))
        assert answer.status_code == 201, answer.content
        return User.objects.get(pk=answer.json()["id"])

    def patch(self, user: User, *operations: Mapping[str, Any], **headers: str) -> Any:
        """Changes an account in part."""
        return self.call("PATCH", f"{USERS}/{user.pk}", patch(*operations), **headers)

    def closes(self, user: User) -> Any:
        """Sets active=false, as Entra ID writes it."""
        return self.patch(user, {"op": "Replace", "path": "active", "value": "False"})

    def adds(self, role: str, *users: User) -> Any:
        """Puts people into the group of a role."""
        members = [{"value": str(user.pk)} for user in users]
        operation = {"op": "Add", "path": "members", "value": members}
        return self.call("PATCH", f"{GROUPS}/{role}", patch(operation))

    def removes(self, role: str, *users: User) -> Any:
        """Takes people out of the group of a role, as Entra ID writes it."""
        members = [{"value": str(user.pk)} for user in users]
        operation = {"op": "Remove", "path": "members", "value": members}
        return self.call("PATCH", f"{GROUPS}/{role}", patch(operation))


def person(name: str, /, **fields: Any) -> dict[str, Any]:
    """The resource of a person."""
    return {
        "schemas": [USER],
        "userName": name,
        "externalId": f"id-of-{name}",
        "name": {"givenName": name.title(), "familyName": "Neri"},
        "emails": [{"type": "work", "primary": True, "value": f"{name}@casino.example"}],
        "active": True,
        **fields,
    }


def patch(*operations: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a PATCH."""
    return {"schemas": [PATCH], "Operations": list(operations)}


def names_in(answer: Any) -> Sequence[str]:
    """The user names on a page of accounts."""
    return [user["userName"] for user in answer.json()["Resources"]]


def _json(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()
