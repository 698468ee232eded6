"""``make check``: exits with 1 and a line for each fault of a migration."""

import os
import sys

import django


def main() -> int:
    """Judges the migrations that the previous release does not have."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from tests.upgrade.gate.migrations import faults_of_clone  # noqa: PLC0415  needs Django

    faults = faults_of_clone()
    for fault in faults:
        print(fault)  # noqa: T201  a command
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
