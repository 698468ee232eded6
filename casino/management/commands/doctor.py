"""`manage.py doctor`: what is wrong with this installation, and what to do."""

import os
from argparse import ArgumentParser
from collections import Counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, no_translations

from casino.operations.checks.check_result import CheckResult, State, run_check
from casino.operations.doctor import CHECKS

_CONNECT_SECONDS: Final = "5"


class Command(BaseCommand):
    """Prints one line a check; exit status 1 if one of them is an error. Reads only."""

    help = "Checks this host and what it needs: a line for each check, with what to do."
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", action="append", choices=list(CHECKS), metavar="CHECK", help="repeatable"
        )

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        os.environ.setdefault("PGCONNECT_TIMEOUT", _CONNECT_SECONDS)  # each check tries again
        chosen = options["only"] or list(CHECKS)
        states = Counter[State]()
        for name in chosen:
            result = run_check(CHECKS[name])
            states[result.state] += 1
            self.stdout.write(_line(name, result))
        counted = ", ".join(f"{states[state]} {state}" for state in State)
        if states[State.ERROR]:
            raise CommandError(counted, returncode=1)
        self.stdout.write(counted)


def _line(name: str, result: CheckResult) -> str:
    line = f"{result.state:8}{name:20}found {result.found}; needed {result.needed}"
    detail = f" ({' '.join(result.detail.split())})" if result.detail else ""
    todo = f" -> {result.todo}" if result.todo and result.state is not State.OK else ""
    return f"{line}{detail}{todo}"
