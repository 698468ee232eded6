"""How a process refuses to start."""

import sys
from collections.abc import Iterable
from typing import Final

from django.conf import settings

_HEADING: Final = "Sabot does not start with settings of a demo (DEMO=true declares one):"


def refuse_to_start(unsafe: Iterable[str]) -> None:
    """Raises SystemExit outside of a demo if anything is unsafe, after naming all of it."""
    if settings.DEMO or not (lines := list(unsafe)):
        return
    print(_HEADING, *lines, sep="\n  ", file=sys.stderr)  # noqa: T201  a log may not be set up
    raise SystemExit(1)
