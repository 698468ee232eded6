"""`manage.py grant_application_role ROLE`: grants exactly the rights of web and workers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError, transaction

from casino.operations.grants import grant_to, make_role


class Command(BaseCommand):
    """One transaction; run it as the owner of the tables after each migration."""

    help = (
        "Grants a database role the rights that web and workers need. Append-only tables get no"
        " UPDATE or DELETE."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", help="an existing role (CREATE ROLE sabot_app LOGIN ...)")
        parser.add_argument(
            "--make",
            action="store_true",
            help="create the role, without a password, if it does not exist",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                if options["make"]:
                    make_role(options["role"])
                grant_to(options["role"])
        except ProgrammingError as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            self.stdout.write(f"{options['role']}: rights granted")
