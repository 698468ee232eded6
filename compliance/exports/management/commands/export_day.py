"""``manage.py export_day DAY``: the registers of a day as a signed bundle."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Min
from django.utils import timezone

from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key
from compliance.exports.scope import GAMES, DaysDetached, one_day
from compliance.exports.services.build_bundle import ExportInProgress, build_bundle
from compliance.storage.replica import committed_position, report_database
from compliance.trail.actor import Actor
from compliance.trail.log.stored_tree import NotInLog
from rounds.gaming_day import gaming_day
from rounds.models import Round
from rounds.row_mapping import milliseconds_of
from rounds.rules.catalogue import RULE_SETS


class Command(BaseCommand):
    """Reads from the replica, if configured."""

    help = (
        "Writes the registers of a gaming day (Rome) to a signed bundle. SABOT_EXPORT_KEY is the"
        " path of the key (manage.py make_export_key). If nothing has changed since the latest"
        " bundle of the day, no new one is created."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("day", metavar="DAY", type=_day, help="a day, 2026-11-21")
        parser.add_argument(
            "--out", type=Path, default=Path(settings.EXPORTS_FOLDER), help="the folder for bundles"
        )
        parser.add_argument("--game", choices=GAMES, default="", help="only this game")

    def handle(self, *, day: date, out: Path, game: str, **_options: Any) -> None:
        check_day(day, at=timezone.now())
        try:
            exported = build_bundle(
                of=one_day(day, game),
                folder=out,
                key=read_signing_key(Path(settings.EXPORT_KEY)),
                database=report_database(holding=committed_position()),
                at=timezone.now(),
                actor=Actor("export_day"),
            )
        except (MissingSigningKey, ExportInProgress, NotInLog, DaysDetached) as error:
            raise CommandError(str(error)) from None
        outcome = "made" if exported.is_new else "identical to"
        self.stdout.write(f"{outcome} bundle {exported.bundle.number}: {exported.path}")


def check_day(day: date, *, at: datetime) -> None:
    """Raises CommandError for a day without data."""
    today = gaming_day(milliseconds_of(at))
    first = min(rules.in_force_from for rules in RULE_SETS.values())
    first = min(first, Round.objects.aggregate(first=Min("booked_on"))["first"] or first)
    if not first <= day <= today:
        raise CommandError(f"DAY: found {day}; needed a day from {first} to {today}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day such as 2026-11-21") from None
