"""What a process loads at its start is no work for the garbage collector."""

import subprocess
import sys
from typing import Final

from casino.embedded.server_paths import CLONE

_COUNTS: Final = """
import gc, django
django.setup()
print(gc.get_freeze_count(), len(gc.get_objects()))
"""


def test_what_is_loaded_at_the_start_is_never_collected() -> None:
    """Nearly all objects are frozen once Django is set up."""
    command = [sys.executable, "-c", _COUNTS]
    output = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, check=True).stdout

    frozen, others = map(int, output.split())

    assert frozen > 50 * others
    assert frozen > 100_000
