"""Django's command line for Sabot: ``python -m casino``, and ``sabot-manage`` of the package."""

import os
import sys
from typing import Final

from django.core.management import execute_from_command_line

from casino.operations.checks.clear_text import clear_text_connections
from casino.operations.refuse_to_start import refuse_to_start

_CONNECT_TO_NOBODY: Final = ("help", "check", "collectstatic", "diffsettings", "doctor")
"""And the last one, which says what is wrong."""


def main() -> None:
    """Runs the command of the arguments, unless it would connect to others in clear text."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    command, *_ = [*sys.argv[1:], "help"]
    if command not in _CONNECT_TO_NOBODY and not command.startswith("-"):
        refuse_to_start(map(str, clear_text_connections()))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
