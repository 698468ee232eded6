"""Doing again what PostgreSQL broke off for the sake of another transaction.

Everybody who moves money locks rows in one order, so nobody should ever wait in a circle. Where an
account is opened by two at the same moment, three can still meet so; one of them is then broken off
whole, and does it again.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from django.db import OperationalError, transaction
from psycopg import errors

_TRIES: Final = 5
_Done = TypeVar("_Done")


def again_after_collision(action: Callable[[], _Done]) -> _Done:
    """Does it in a transaction, up to five times where it collides with others.

    Whatever else goes wrong, and the fifth collision, is the caller's.
    """
    for _ in range(_TRIES - 1):
        try:
            with transaction.atomic():
                return action()
        except OperationalError as error:
            if not isinstance(
                error.__cause__, errors.DeadlockDetected | errors.SerializationFailure
            ):
                raise
    with transaction.atomic():
        return action()
