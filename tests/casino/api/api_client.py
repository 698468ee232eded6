"""A client of the API for tests: keys, calls, answers."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from casino.integrations.issue_key import IssuedKey, NewKey, issue_customer_token, issue_key
from casino.integrations.scopes import OF_PROGRAMS
from compliance.trail.actor import Actor
from rounds.models import Customer

ADMINISTRATOR: Final = Actor("Ada Verdi", 7)
EVERYTHING: Final = tuple(scope.value for scope in OF_PROGRAMS)
TOKENS: Final = "/api/v1/customer-tokens"
HERE: Final = "192.0.2.7"


def issued(
    *,
    owner: str = "Live Studio",
    scopes: Sequence[str] = EVERYTHING,
    networks: Sequence[str] = (),
    tables: Sequence[str] = (),
    calls_per_minute: int = 1_000,
    expires_at: datetime | None = None,
    at: datetime | None = None,
) -> IssuedKey:
    """Issues a key, by default with all scopes."""
    requested = NewKey(
        kind="customer_service",
        owner=owner,
        scopes=scopes,
        networks=networks,
        tables=tables,
        calls_per_minute=calls_per_minute,
        expires_at=expires_at,
    )
    return issue_key(new=requested, at=at or timezone.now(), actor=ADMINISTRATOR)


class Program:
    """A program that calls the API with a token from an IP address."""

    def __init__(self, token: str, *, address: str = HERE, language: str = "") -> None:
        self._client = Client(REMOTE_ADDR=address, raise_request_exception=False)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        if language:
            self._headers["Accept-Language"] = language

    def get(self, path: str, **headers: str) -> HttpResponse:
        """Sends a GET."""
        return self.call("GET", path, **headers)

    def post(
        self,
        path: str,
        body: object,
        *,
        once: str | None = None,
        **headers: str,
    ) -> HttpResponse:
        """Sends JSON with an Idempotency-Key, a new one by default."""
        return self.call("POST", path, body, once=once or str(uuid4()), **headers)

    def call(
        self,
        method: str,
        path: str,
        body: object = b"",
        *,
        once: str | None = None,
        **headers: str,
    ) -> HttpResponse:
        """Sends any method; a body that is not bytes is sent as JSON."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        if once is not None:
            named["Idempotency-Key"] = once
        return self._client.generic(  # type: ignore[return-value]  # theirs is the request's
            method,
            path,
            body if isinstance(body, bytes) else json.dumps(body).encode(),
            content_type=named.pop("Content-Type", "application/json"),
            headers={**self._headers, **named},
        )


def json_of(answer: HttpResponse) -> Any:
    """The JSON body of an answer."""
    return json.loads(answer.content)


def slug_of(answer: HttpResponse) -> str:
    """The kind of problem in an answer."""
    return str(json_of(answer)["type"].rpartition("/")[2])


def a_customer(pseudonym: str = "p-1") -> Customer:
    """Creates a customer."""
    return Customer.objects.create(pseudonym=pseudonym)


def customer_token(customer: str, **key: Any) -> str:
    """The token of a customer, issued by a key with these fields."""
    issued_token = issue_customer_token(
        customer=customer,
        minutes=5,
        issuer=issued(**key).key,
        at=timezone.now(),
        actor=ADMINISTRATOR,
    )
    return issued_token.token
