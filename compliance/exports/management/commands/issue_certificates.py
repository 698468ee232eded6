"""``manage.py issue_certificates [RULES...]``: computes, signs and stores certificates."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.exports.services.process_certificates import process_certificates
from compliance.trail.actor import Actor
from rounds.rules.catalogue import RULE_SETS


class Command(BaseCommand):
    """Idempotent: unchanged certificates are not issued again."""

    help = (
        "Computes the returns of every bet, as certify does, signs them with the key in"
        " SABOT_EXPORT_KEY and stores the certificates. Run it with every release."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rules", nargs="*", metavar="RULES", help=", ".join(RULE_SETS))
        parser.add_argument("--by", default="release", metavar="NAME", help="who does")
        parser.add_argument(
            "--requested",
            action="store_true",
            help="issue the certificates requested in the back office",
        )

    def handle(self, *, rules: list[str], by: str, requested: bool, **_options: Any) -> None:
        if requested:
            process_certificates(now=timezone.now, key=Path(settings.EXPORT_KEY))
            return
        if unknown := sorted({*rules} - {*RULE_SETS}):
            raise CommandError(f"found no rule set {', '.join(unknown)}; see --help")
        try:
            key = read_signing_key(Path(settings.EXPORT_KEY))
        except MissingSigningKey as error:
            raise CommandError(str(error)) from None
        for name in rules or RULE_SETS:
            issued, is_new = issue_certificate(
                RULE_SETS[name], key=key, at=timezone.now(), actor=Actor(by)
            )
            outcome = "issued" if is_new else "as before"
            self.stdout.write(f"{name}: {outcome}, SHA-256 {bytes(issued.digest).hex()}")
