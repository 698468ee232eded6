"""`manage.py verify_release`: compares what is installed with the signed list of the release."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from compliance.release.current_release import Outcome, compare_release


class Command(BaseCommand):
    """Prints every difference. Exit status 1 if there is one, 2 without a release. Reads only."""

    help = "Compares every installed file with the signed list of the release."
    requires_system_checks: list[str] = []  # they load all pages

    @no_translations
    def handle(self, *_args: Any, **_options: Any) -> None:
        state = compare_release(thoroughly=True)
        if state.outcome is Outcome.NOT_A_RELEASE:
            raise CommandError(f"{state.outcome}", returncode=2)
        for difference in state.differences:
            self.stderr.write(str(difference))
        if state.outcome is Outcome.DIFFERS:
            count = len(state.differences)
            raise CommandError(f"{count} files or packages are not as released", returncode=1)
        self.stdout.write(f"{state.outcome} {state.version}, list {state.digest}")
