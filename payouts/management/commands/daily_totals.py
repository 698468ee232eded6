"""``manage.py daily_totals FIRST [LAST]``: what was staked and paid, by day, table and rule set."""

import csv
from argparse import ArgumentParser
from datetime import date
from typing import Any, Final

from django.core.management.base import BaseCommand

from compliance.storage.replica import committed_position, report_database
from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from payouts.management.arguments import day_argument
from rounds.rules.money import format_cents

_COLUMNS: Final = DailyTotal._fields
_HEADINGS: Final = {
    "staked_cents": "settled_stakes",
    "staked_chips_cents": "settled_stakes_chips",
}
"""The report covers settled rounds only; elsewhere *staked* covers all (``docs/exports.md``)."""


class Command(BaseCommand):
    """A report, read from the replica if there is one."""

    help = (
        "Writes the totals of settled rounds as CSV, by gaming day (Rome), table and rule set."
        " Includes everything committed before the command started. Amounts are in euros and"
        " include golden chips, which are also listed separately."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("first", metavar="FIRST", type=day_argument, help="a day, 2026-11-21")
        parser.add_argument(
            "last",
            metavar="LAST",
            type=day_argument,
            nargs="?",
            help="the last day (default: FIRST only)",
        )

    def handle(self, *, first: date, last: date | None, **_options: Any) -> None:
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(_HEADINGS.get(name, name.removesuffix("_cents")) for name in _COLUMNS)
        database = report_database(holding=committed_position())
        for total in daily_totals(first=first, last=last or first, database=database):
            writer.writerow(
                format_cents(value) if name.endswith("_cents") else value
                for name, value in total._asdict().items()
            )
