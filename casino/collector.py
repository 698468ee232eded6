"""How often Python looks for cycles among the objects of a process that handles rounds."""

import gc
from typing import Final

_NEW_OBJECTS: Final = 100_000
"""One round can have a hundred thousand bets. Python's own 700 has it looked through hundreds of
times while it is read, and everything that the rules remember with it."""


def look_for_cycles_seldom() -> None:
    """Facts, verdicts and rows have no cycles: waiting longer for those of others costs little."""
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
