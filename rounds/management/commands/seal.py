"""``manage.py seal RULES FEED...``: releases a rule set."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rounds.released_rules.rule_set_seals import AlreadyReleasedError, seal
from rounds.rules.catalogue import RULE_SETS


class Command(BaseCommand):
    """Writes the seal of a rule set. Uses no database."""

    help = (
        "Releases a rule set: writes its definition, the feeds and their verdicts to"
        " rounds/rules/released. Commit these files. A released rule set cannot be sealed again."
    )
    requires_system_checks: list[str] = []  # only the rules and the feeds are used

    def add_arguments(self, parser: ArgumentParser) -> None:
        """RULES and at least one FEED."""
        parser.add_argument("rules", metavar="RULES", choices=RULE_SETS, help="blackjack/2")
        parser.add_argument("feeds", metavar="FEED", nargs="+", type=Path, help="a round feed")

    def handle(self, *_args: object, **options: Any) -> None:
        lines = [line for feed in options["feeds"] for line in feed.read_bytes().splitlines()]
        try:
            new_seal = seal(RULE_SETS[options["rules"]], lines, on=timezone.localdate())
        except AlreadyReleasedError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{options['rules']} is released: definition {new_seal.definition}")
