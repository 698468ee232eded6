"""`manage.py months`: lists the monthly partitions of big tables, and creates more."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any, Final

from django.core.management.base import BaseCommand

from compliance.storage.partitions import (
    Month,
    make_all_months,
    months_between,
    months_of,
    partitioned_tables,
    rows_outside,
)

_MONTH: Final = re.compile(r"(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])")


class Command(BaseCommand):
    """Lists the months; with --from and --to creates missing ones, for an import."""

    help = "Lists the monthly partitions of big tables; creates more with --from and --to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="first", type=_month, metavar="YYYY-MM")
        parser.add_argument("--to", dest="last", type=_month, metavar="YYYY-MM")

    def handle(self, *_args: Any, **options: Any) -> None:
        first, last = options["first"], options["last"]
        if first or last:
            partitions = make_all_months(months_between(first or last, last or first))
            for table, months in partitions.items():
                self.stdout.write(f"{table}: created {len(months)} months")
        for table in partitioned_tables():
            months = months_of(table)
            outside = rows_outside(table)
            note = f", and {outside:,} rows outside of them" if outside else ""
            self.stdout.write(f"{table}: {_span(months)}{note}")


def _span(months: list[Month]) -> str:
    if not months:
        return "no months"
    return f"{months[0]} to {months[-1]}, {len(months)} months"


def _month(text: str) -> Month:
    match = _MONTH.fullmatch(text)
    if match is None or match["year"] == "0000":
        raise ArgumentTypeError(f'"{text}" is not a month; needed one such as 2026-11')
    return Month(int(match["year"]), int(match["month"]))
