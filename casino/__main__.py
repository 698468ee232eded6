"""Django's command line for Sabot: ``python -m casino``, and ``sabot-manage`` of the package."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Runs the command of the arguments."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
