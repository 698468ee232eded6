"""`manage.py reset_sandbox`: empties a sandbox of what was played."""

import getpass
import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from casino.operations.reset_sandbox import (
    NoSandbox,
    SandboxBusy,
    require_sandbox,
    reset_sandbox,
)
from compliance.trail.actor import Actor


class Command(BaseCommand):
    """Refuses any database that is not that of a sandbox since its first migration."""

    help = (
        "Removes all rounds, money, disputes, exports and events from a sandbox, while it runs."
        " Accounts, keys, webhooks, tables, limits and reasons stay. Run it as the owner of the"
        " tables."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do not ask for the database's name")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = str(connection.settings_dict["NAME"])
        try:
            require_sandbox()
            if not options["yes"]:
                _confirm(name)
            actor = Actor(f"{getpass.getuser()} on {socket.gethostname()}")
            reset_sandbox(at=timezone.now(), actor=actor)
        except (NoSandbox, SandboxBusy) as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            self.stdout.write(
                f"{name} is empty; accounts, keys, webhooks, tables, limits and reasons are kept"
            )


def _confirm(name: str) -> None:
    try:
        typed = input(f"Everything that was played in {name} is removed. Its name, to go on: ")
    except EOFError:
        typed = ""
    if typed.strip() != name:
        raise CommandError(f"found {typed!r}; needed {name}, or --yes: nothing was changed")
