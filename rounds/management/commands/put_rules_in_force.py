"""``manage.py put_rules_in_force``: records the rule sets of a release."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from compliance.trail.actor import Actor
from rounds.services.put_rules_in_force import put_rules_in_force


class Command(BaseCommand):
    """Safe to run again: recorded rule sets are skipped."""

    help = (
        "Records the rule sets of this software version with their digests, unless they are"
        " recorded already. Run it with every release, after migrate and before the workers start."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--by", default="release", metavar="NAME", help="who does")

    def handle(self, *, by: str, **options: Any) -> None:
        names = put_rules_in_force(at=timezone.now(), actor=Actor(by))
        if options["verbosity"]:
            listed = ", ".join(names) or "no new rule sets"
            self.stdout.write(f"in force: {listed}")
