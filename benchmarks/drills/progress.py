"""What a drill prints, and how it waits."""

import sys
import time
from collections.abc import Callable
from typing import Final

_STARTED: Final = time.monotonic()
_POLL_SECONDS: Final = 0.05


def say(text: str) -> None:
    """Prints a line with the seconds since the drill began."""
    print(f"{time.monotonic() - _STARTED:7.1f} s  {text}", flush=True)


def wait_for(condition: Callable[[], object], *, what: str, seconds: float = 180) -> None:
    """Waits until the condition gives something true; ends the drill if it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"still not true after {seconds:.0f} seconds: {what}")
        time.sleep(_POLL_SECONDS)
