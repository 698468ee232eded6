"""``manage.py daily_totals FIRST [LAST]``: what was staked and paid, by day, table and rule set."""

import csv
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand

from compliance.replica import committed_position, report_database
from payouts.daily_totals import DailyTotal, daily_totals
from rounds.rules.money import format_cents


class Command(BaseCommand):
    """A report: it reads from the replica where there is one."""

    help = (
        "Writes the totals of settled rounds as CSV, by day of play (Rome), table and rule set."
        " Everything counts that was committed when it was started. Money is in euro, golden chips"
        " included and then named alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("first", metavar="FIRST", type=_day, help="a day, 2026-11-21")
        parser.add_argument("last", metavar="LAST", type=_day, nargs="?", help="or to this day")

    def handle(self, *, first: date, last: date | None, **_options: Any) -> None:  # noqa: ANN401  Django's options
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(name.removesuffix("_cents") for name in DailyTotal._fields)
        database = report_database(holding=committed_position())
        for total in daily_totals(first=first, last=last or first, database=database):
            writer.writerow(
                format_cents(value) if name.endswith("_cents") else value
                for name, value in total._asdict().items()
            )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day like 2026-11-21") from None
