"""`manage.py grant_database_roles`: grants each role of the database exactly its rights."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError, transaction

from compliance.storage.database_roles.grants import (
    grant_database_roles,
    make_database_roles,
    revoke_all_from,
)
from compliance.storage.database_roles.role import ROLES, role_name


class Command(BaseCommand):
    """One transaction; run it as the owner of the tables after each migration."""

    help = (
        "Grants the roles of the database the rights that the code declares (module"
        " database_rights of each application), and revokes all of their other rights."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--make",
            action="store_true",
            help="create roles that do not exist, without passwords",
        )
        parser.add_argument(
            "--former",
            metavar="ROLE",
            help="a role of an earlier release, whose rights in this database are revoked",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                if options["make"]:
                    make_database_roles()
                if options["former"]:
                    revoke_all_from(options["former"])
                grant_database_roles()
        except ProgrammingError as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            names = ", ".join(role_name(role) for role in ROLES)
            self.stdout.write(f"{names}: rights granted")
