"""Polls until a worker has finished."""

import time
from collections.abc import Callable
from typing import TypeVar

from .problems import NoAnswer

T = TypeVar("T")


def wait_until(
    read: Callable[[], T], is_done: Callable[[T], bool], *, seconds: float, pause: float
) -> T:
    """The first answer that is done, read after each pause. Raises NoAnswer after ``seconds``."""
    end = time.monotonic() + seconds
    while not is_done(answer := read()):
        if time.monotonic() > end:
            raise NoAnswer(f"not done after {seconds} s: {answer!r}")
        time.sleep(pause)
    return answer
