"""``manage.py export_day DAY``: the registers of a day as a signed bundle."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.exports.bundle.signing import NoSigningKey, read_signing_key
from compliance.exports.scope import GAMES, one_day
from compliance.exports.services.build_bundle import ExportUnderWay, build_bundle
from compliance.replica import committed_position, report_database
from compliance.trail.actor import Actor
from compliance.trail.nodes import NotInLog


class Command(BaseCommand):
    """Exported by whoever runs it; reads from the replica where there is one."""

    help = (
        "Writes the registers of a day of play (Rome) into a signed bundle. The key is the file"
        " that SABOT_EXPORT_KEY names (manage.py make_export_key). A day that tells what its last"
        " bundle told gets no further one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("day", metavar="DAY", type=_day, help="a day, 2026-11-21")
        parser.add_argument(
            "--out", type=Path, default=Path(settings.EXPORTS_FOLDER), help="folder of the bundles"
        )
        parser.add_argument("--game", choices=GAMES, default="", help="this game alone")

    def handle(self, *, day: date, out: Path, game: str, **_options: Any) -> None:  # noqa: ANN401  Django's options
        try:
            exported = build_bundle(
                of=one_day(day, game),
                folder=out,
                key=read_signing_key(Path(settings.EXPORT_KEY)),
                database=report_database(holding=committed_position()),
                at=timezone.now(),
                actor=Actor("export_day"),
            )
        except (NoSigningKey, ExportUnderWay, NotInLog) as refusal:
            raise CommandError(str(refusal)) from None
        what = "made" if exported.is_new else "is the same as"
        self.stdout.write(f"{what} bundle {exported.bundle.number}: {exported.path}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day like 2026-11-21") from None
