"""Calls that are carried out once, however often they are sent."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import OperationalError, connection
from psycopg import errors

from payouts.api.models import ApiKey, GivenAnswer
from payouts.api.sealing import opened, sealed
from rounds.services.intake import lock_names

KEPT_FOR: Final = timedelta(days=30)
WAIT_SECONDS: Final = 10
"""So long a call waits for its twin that is being carried out."""
_AT_ONCE: Final = 10_000


class StillCarriedOut(Exception):
    """The same call is being carried out and takes long; nothing was done."""


class AskedOtherwise(Exception):
    """The Idempotency-Key was used for another call; nothing was done."""


class Answer(NamedTuple):
    """An answer as it goes out."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def answer_given(key: ApiKey, idempotency_key: str, *, asked: bytes) -> Answer | None:
    """The answer that was given to this call before; None for the first one.

    In a transaction: until it ends, the same call of others waits here. Raises StillCarriedOut
    after ``WAIT_SECONDS``, AskedOtherwise where ``asked`` is another digest than the first time.
    """
    _wait_for_twins(f"idempotency:{key.pk}:{idempotency_key}")
    given = GivenAnswer.objects.filter(key=key, idempotency_key=idempotency_key).first()
    if given is None:
        return None
    if bytes(given.asked) != asked:
        raise AskedOtherwise(idempotency_key)
    return Answer(given.status, given.headers, opened(bytes(given.content)))


def keep_answer(
    key: ApiKey, idempotency_key: str, *, asked: bytes, answer: Answer, at: datetime
) -> None:
    """Keeps the first answer, in the transaction of what the call did."""
    GivenAnswer.objects.create(
        key=key,
        idempotency_key=idempotency_key,
        asked=asked,
        status=answer.status,
        headers=dict(answer.headers),
        content=sealed(answer.content),
        given_at=at,
    )


def forget_answers(*, at: datetime) -> int:
    """Takes out answers that were kept for long enough, some at a time; gives how many."""
    old = GivenAnswer.objects.filter(given_at__lt=at - KEPT_FOR).order_by("given_at")
    gone, _models = GivenAnswer.objects.filter(pk__in=old.values("pk")[:_AT_ONCE]).delete()
    return gone


def _wait_for_twins(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = %s", [f"{WAIT_SECONDS}s"])
        try:
            lock_names([name])
        except OperationalError as error:
            if isinstance(error.__cause__, errors.LockNotAvailable):
                raise StillCarriedOut(name) from error
            raise
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
