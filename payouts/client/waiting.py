"""Waiting for what a worker does."""

import time
from collections.abc import Callable
from typing import TypeVar

from .problems import NoAnswer

T = TypeVar("T")


def waited(
    ask: Callable[[], T], is_done: Callable[[T], bool], *, seconds: float, pause: float
) -> T:
    """What is told once it is done, asked after each pause. Raises NoAnswer when time is over."""
    end = time.monotonic() + seconds
    while not is_done(found := ask()):
        if time.monotonic() > end:
            raise NoAnswer(f"not done after {seconds} s: {found!r}")
        time.sleep(pause)
    return found
