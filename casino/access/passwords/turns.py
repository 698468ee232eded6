"""Turns at hashing passwords, so that a flood of logins leaves threads for everybody else.

A hash takes half a processor second by design. Without turns, as many logins as the site has
threads stop it, also those with names and addresses that no count has seen before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

AT_ONCE: Final = BoundedSemaphore(1)
"""One thread of a process hashes; its other threads answer pages."""


class PasswordsBusy(Exception):
    """Another login is being verified, and this one may not wait."""


@contextmanager
def password_turn(*, may_wait: bool) -> Iterator[None]:
    """A turn at verifying a password. Raises PasswordsBusy if it is taken and nobody may wait."""
    if not AT_ONCE.acquire(blocking=may_wait):
        raise PasswordsBusy
    try:
        yield
    finally:
        AT_ONCE.release()
