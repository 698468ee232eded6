"""Retrying transactions that PostgreSQL aborted because of another.

Everything that moves money locks rows in one order, which prevents deadlocks. When two transactions
open the same account at the same moment, three can still deadlock; PostgreSQL then aborts one.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from django.db import OperationalError, transaction
from psycopg import errors

_TRIES: Final = 5
_Result = TypeVar("_Result")


def retry_on_conflict(action: Callable[[], _Result]) -> _Result:
    """Runs the action in a transaction, up to five times if it conflicts with others.

    Raises what else the action raises, and OperationalError after the fifth conflict.
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
