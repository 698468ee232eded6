"""Keys of every kind, and the answers that they get, for tests."""

from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from casino.integrations.issue_key import issue_customer_token
from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_key
from casino.integrations.scopes import OF_CUSTOMERS
from tests.casino.api.api_client import ADMINISTRATOR, EVERYTHING, Program, issued
from tests.casino.api.studio import whole
from tests.casino.api.two_customers import ANNA

_HOUR: Final = timedelta(hours=1)


class Held(NamedTuple):
    """A program, its key and the scopes it has."""

    program: Program
    key: ApiKey | None
    scopes: tuple[str, ...]
    refused_as: str = ""
    """Everything that its scopes allow."""


def held(kind: str) -> Held:
    """A program with one scope, all scopes, a customer's token, an expired key, or no key."""
    if kind == "no key":
        return Held(Program(""), None, (), "key-missing")
    if kind == "a customer's own":
        issued_key = issue_customer_token(
            customer=ANNA, minutes=5, issuer=issued().key, at=timezone.now(), actor=ADMINISTRATOR
        )
        return Held(
            Program(issued_key.token), issued_key.key, tuple(scope.value for scope in OF_CUSTOMERS)
        )
    if kind == "expired":
        now = timezone.now()
        issued_key = issued(expires_at=now - _HOUR, at=now - 2 * _HOUR)
        return Held(Program(issued_key.token), issued_key.key, EVERYTHING, "key-expired")
    if kind == "revoked":
        issued_key = issued()
        revoke_key(key_id=issued_key.key.pk, reason="lost", at=timezone.now(), actor=ADMINISTRATOR)
        return Held(Program(issued_key.token), issued_key.key, EVERYTHING, "key-revoked")
    scopes = EVERYTHING if kind == "every scope" else (kind,)
    issued_key = issued(scopes=scopes)
    return Held(Program(issued_key.token), issued_key.key, scopes)


def answered(by: Held, method: str, path: str) -> Any:
    """The answer to a call, whose effects are rolled back."""
    with transaction.atomic():
        answer = whole(by.program.call(method, f"/api/v1/{path}", {}, once=str(uuid4())))
        transaction.set_rollback(True)
    return answer
