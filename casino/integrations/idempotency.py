"""Idempotency keys: a call is carried out once, however often it is sent."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import OperationalError, connection
from psycopg import errors

from casino.integrations.answer_encryption import decrypt, encrypt
from casino.integrations.models import ApiKey, GivenAnswer
from compliance.storage.advisory_locks import lock_names

KEPT_FOR: Final = timedelta(days=30)
WAIT_SECONDS: Final = 10
"""How long a call waits for the same call that is in progress."""
_AT_ONCE: Final = 10_000


class CallInProgress(Exception):
    """The same call is in progress and takes long; nothing was done."""


class IdempotencyKeyReused(Exception):
    """The Idempotency-Key was used for another call; nothing was done."""


class Answer(NamedTuple):
    """A stored response."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def stored_answer(key: ApiKey, idempotency_key: str, *, digest: bytes) -> Answer | None:
    """The stored response to this call; None for the first call.

    Call it in a transaction: until it ends, the same call waits here in other transactions. Raises
    CallInProgress after ``WAIT_SECONDS``, IdempotencyKeyReused if the digest is another.
    """
    _lock_call(f"idempotency:{key.pk}:{idempotency_key}")
    stored = GivenAnswer.objects.filter(key=key, idempotency_key=idempotency_key).first()
    if stored is None:
        return None
    if bytes(stored.asked) != digest:
        raise IdempotencyKeyReused(idempotency_key)
    return Answer(stored.status, stored.headers, decrypt(bytes(stored.content)))


def store_answer(
    key: ApiKey, idempotency_key: str, *, digest: bytes, answer: Answer, at: datetime
) -> None:
    """Stores the first response, in the transaction of the call."""
    GivenAnswer.objects.create(
        key=key,
        idempotency_key=idempotency_key,
        asked=digest,
        status=answer.status,
        headers=dict(answer.headers),
        content=encrypt(answer.content),
        given_at=at,
    )


def delete_old_answers(*, at: datetime) -> int:
    """Deletes up to 10,000 expired responses; returns how many."""
    old = GivenAnswer.objects.filter(given_at__lt=at - KEPT_FOR).order_by("given_at")
    deleted, _models = GivenAnswer.objects.filter(pk__in=old.values("pk")[:_AT_ONCE]).delete()
    return deleted


def _lock_call(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = %s", [f"{WAIT_SECONDS}s"])
        try:
            lock_names([name])
        except OperationalError as error:
            if isinstance(error.__cause__, errors.LockNotAvailable):
                raise CallInProgress(name) from error
            raise
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
