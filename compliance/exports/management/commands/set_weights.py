"""``manage.py set_weights FILE``: puts multiplier weights in force from a day on."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from compliance.certification.returns.weights_document import InvalidWeights
from compliance.certification.services.set_weights import (
    WeightsError,
    approve_weights,
    set_weights,
)
from compliance.trail.people import actor_of
from payouts.management.arguments import active_user


class Command(BaseCommand):
    """Runs without a password: shell access is the authorization."""

    help = (
        "Sets the operator's multiplier weights, as decided by two persons. Try them with certify"
        " --weights first; docs/certification.md describes the file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="the weights document (JSON)")
        parser.add_argument(
            "--from", dest="day", required=True, type=date.fromisoformat, help="2026-01-01"
        )
        parser.add_argument("--actor", required=True, metavar="USER", help="the user who sets them")
        parser.add_argument(
            "--approved-by", required=True, metavar="USER", help="the user who approves"
        )
        parser.add_argument("--reason", required=True, help="the reason")

    def handle(
        self,
        *,
        file: Path,
        day: date,
        actor: str,
        approved_by: str,
        reason: str,
        **_options: Any,
    ) -> None:
        setter = actor_of(active_user("--actor", actor))
        approver = actor_of(active_user("--approved-by", approved_by))
        at = timezone.now()
        try:
            content = file.read_text(encoding="utf-8")
            with transaction.atomic():
                weights = set_weights(
                    content=content, in_force_from=day, reason=reason, at=at, actor=setter
                )
                approve_weights(weights_id=weights.pk, at=at, actor=approver)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file}: {error}") from None
        except (InvalidWeights, WeightsError) as error:
            raise CommandError(f"{file}: {error}") from None
        sha256 = weights.digest.hex()
        self.stdout.write(f"{weights.rules}: {weights} in force from {day}, SHA-256 {sha256}")
