"""``manage.py grant_roles``: gives each role the permissions that the code declares."""

from typing import Any

from django.core.management.base import BaseCommand

from casino.access.roles import grant_roles


class Command(BaseCommand):
    """Idempotent; gives nobody a role."""

    help = "Creates the roles and grants their permissions. Run it after every migrate."

    def handle(self, **options: Any) -> None:
        """Grants the permissions and prints the roles."""
        names = ", ".join(sorted(grant_roles()))
        if options["verbosity"]:
            self.stdout.write(f"roles granted: {names}")
