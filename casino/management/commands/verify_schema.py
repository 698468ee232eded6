"""`manage.py verify_schema`: compares triggers, functions, constraints and rights with the code."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from compliance.storage.schema_objects.compare import count_schema_objects
from payouts.integrity.verify_schema import schema_differences


class Command(BaseCommand):
    """Prints every difference; exit status 1 if there is one. Reads only."""

    help = (
        "Compares the triggers, functions, constraints, owners and rights in the database with"
        " those that the code declares."
    )
    requires_system_checks: list[str] = []  # they load all pages

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        differences = schema_differences()
        for difference in differences:
            self.stderr.write(str(difference))
        if differences:
            count = len(differences)
            raise CommandError(
                f"{count} triggers, functions, constraints or rights differ from the code",
                returncode=1,
            )
        if options["verbosity"]:
            count = count_schema_objects()
            self.stdout.write(f"{count} triggers, functions and constraints match the code")
