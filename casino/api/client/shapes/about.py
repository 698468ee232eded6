"""The index and the problem types, as the API returns them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any


@dataclass(frozen=True, kw_only=True)
class ApiIndex:
    """The index of the API."""

    name: str
    version: str
    sandbox: Annotated[bool, "Whether nothing here is real, and tokens begin with sabot_test_"]
    schema: Annotated[str, "The OpenAPI 3.1 document"]
    reference: Annotated[str, "The reference page for people"]
    asyncapi: Annotated[str, "The AsyncAPI 3 document of the events"]
    feed_schema: Annotated[str, "The JSON Schema of the feed's documents"]
    problems: Annotated[str, "The problem types"]


@dataclass(frozen=True, kw_only=True)
class CallingKey:
    """The key that calls, with its scopes and limits."""

    handle: Annotated[str, "The public part of the token"]
    kind: str
    owner: str
    sandbox: Annotated[bool, "Whether it is a test token, for a sandbox"]
    scopes: tuple[str, ...]
    tables: Annotated[tuple[str, ...], "Codes of the tables it is bound to; empty for all"]
    customer: Annotated[str | None, "The pseudonym, if it is a customer's own token"]
    calls_per_minute: int
    issued_at: datetime
    expires_at: Annotated[datetime | None, "null: it does not expire"]


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """A certificate or public key with which documents or proofs are verified."""

    key_id: Annotated[str, "SHA-256 of the certificate, or of the 32 bytes of a log key"]
    kind: str
    purpose: Annotated[str, "What it verifies, in the language of Accept-Language"]
    pem: str
    verifier_key: Annotated[
        str | None, "A log key as programs for C2SP checkpoints expect it; null: there are none"
    ]
    valid_from: Annotated[datetime | None, "null: it has signed nothing yet"]
    valid_until: Annotated[datetime | None, "null: it is in use, without an end"]


@dataclass(frozen=True, kw_only=True)
class ProblemType:
    """A problem type and its remedy."""

    type: str
    title: str
    status: int
    remedy: str


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """An error in one field.

    ``field`` is a JSON pointer into the body, or ``header:NAME``, ``query:NAME``, ``path:NAME``.
    """

    field: str
    found: Any
    needed: str
