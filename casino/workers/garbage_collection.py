"""Python's garbage collector in processes that handle rounds: it runs rarely, over few objects."""

import gc
from typing import Final

_NEW_OBJECTS: Final = 100_000
"""A round can have a hundred thousand bets. With Python's default of 700 the collector would run
hundreds of times while one is parsed."""


def raise_gc_thresholds() -> None:
    """Makes the collector run rarely: facts, verdicts and rows have no reference cycles."""
    gc.set_threshold(_NEW_OBJECTS, 20, 20)


def freeze_loaded_code() -> None:
    """Leaves out what is loaded now, which stays: half a million objects.

    Else the first collection after the start scans all of them, for more than half a second of a
    batch of rounds. Processes that are forked later share them.
    """
    gc.freeze()
