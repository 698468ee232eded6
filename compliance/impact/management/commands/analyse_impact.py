"""``manage.py analyse_impact``: what a changed rule would have paid."""

import csv
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.exports.scope import DaysDetached
from compliance.impact.analyses import (
    FIGURES,
    RuleChange,
    begin_analysis,
    figures_of,
    finish_analysis,
    work_on_part,
)
from compliance.impact.changed_fields import BadChange, FieldChange
from compliance.impact.models import ImpactAnalysis
from compliance.impact.other_readings import known_readings
from compliance.impact.results import changed_customers, customer_results, kind_results
from compliance.impact.tasks import wake_analysis_workers
from compliance.trail.actor import Actor
from payouts.management.arguments import day_argument
from payouts.reconciliation.checks.days import Days

_POLL_SECONDS: Final = 0.2
_BAD_ARGUMENT: Final = 2
_LINE: Final = "{:<28} {:<16} {:>10} {:>10} {:>15} {:>15} {:>15} {:>15}"
_HEADINGS: Final = (
    *("rules", "bet", "bets", "changed", "staked", "paid", "difference", "expected %"),
)
_COLUMNS: Final = (
    *("customer", "rules", "bets", "staked_cents", "paid_cents", "paid_chips_cents"),
    *("other_cents", "other_chips_cents", "difference_cents", "example"),
)


class Command(BaseCommand):
    """Works on the parts of an analysis, together with the workers."""

    help = (
        "Judges settled rounds by another reading of the ambiguity register, or with other values"
        " of declared fields, and tells what customers would have been paid. Changes no data."
        " Exits with 2 for an invalid argument."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reading",
            metavar="KEY:INDEX",
            help="another reading: "
            + ", ".join(f"{key}:{index}" for key, index in known_readings()),
        )
        parser.add_argument(
            "--set",
            dest="fields",
            nargs=3,
            action="append",
            default=[],
            metavar=("RULES", "FIELD", "VALUE"),
            help="another value of a field, as in: --set baccarat/1 bets/tie/pays 9:1",
        )
        parser.add_argument(
            "--from", dest="first", type=day_argument, metavar="DAY", help="the first gaming day"
        )
        parser.add_argument(
            "--to", dest="last", type=day_argument, metavar="DAY", help="the last gaming day"
        )
        parser.add_argument(
            "--csv", type=Path, metavar="FILE", help="writes what each customer would have got"
        )

    @no_translations
    def handle(self, **options: Any) -> None:
        try:
            analysis = begin_analysis(
                _change_of(options),
                days=Days(options["first"], options["last"]),
                at=timezone.now(),
                actor=Actor("analyse_impact"),
            )
        except (BadChange, DaysDetached) as error:
            raise CommandError(str(error), returncode=_BAD_ARGUMENT) from None
        _work_on(analysis)
        analysis.refresh_from_db()
        if analysis.error:
            raise CommandError(f"the changed rules cannot judge: {analysis.error}")
        self._report(analysis)
        if options["csv"] is not None:
            _write_customers(analysis, options["csv"])

    def _report(self, analysis: ImpactAnalysis) -> None:
        self.stdout.write(_LINE.format(*_HEADINGS).rstrip())
        for result in kind_results(analysis):
            sums = result.sums
            expected = " → ".join(f"{float(100 * share):.2f}" for share in result.expected or ())
            line = _LINE.format(
                *(result.rules, result.kind, sums.bets, result.changed_bets),
                *map(_euros, (sums.staked_cents, sums.paid_cents, sums.difference_cents)),
                expected,
            )
            self.stdout.write(line.rstrip())
        figures = figures_of(analysis)
        texts = (f"{name.replace('_', ' ')}: {figures[name]:,}" for name in FIGURES)
        self.stdout.write(", ".join(texts))
        self.stdout.write(
            f"customers who would have been paid otherwise: {changed_customers(analysis):,}"
        )


def _change_of(options: dict[str, Any]) -> RuleChange:
    fields = [FieldChange(*texts) for texts in options["fields"]]
    if options["reading"] is None:
        return RuleChange(fields=fields)
    if fields:
        raise BadChange("--set", "a field together with --reading", "one of the two")
    key, _colon, index = options["reading"].partition(":")
    if not index.isascii() or not index.isdigit():
        raise BadChange("--reading", options["reading"], "KEY:INDEX")
    return RuleChange(reading=(key, int(index)))


def _work_on(analysis: ImpactAnalysis) -> None:
    """Works on free parts, and waits for those of other workers, until none is left."""
    wake_analysis_workers(analysis.parts.count())
    while not finish_analysis(analysis.pk, now=timezone.now):
        if not work_on_part(analysis, now=timezone.now):
            time.sleep(_POLL_SECONDS)
        if sys.stderr.isatty():
            left = analysis.parts.filter(done_at=None).count()
            sys.stderr.write(f"\rparts left: {left:,}   ")


def _write_customers(analysis: ImpactAnalysis, file: Path) -> None:
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(_COLUMNS)
        for result in customer_results(analysis):
            sums = result.sums
            writer.writerow(
                [
                    *(result.pseudonym, result.rules, sums.bets, sums.staked_cents),
                    *(sums.paid_cents, sums.paid_chips_cents, sums.other_cents),
                    *(sums.other_chips_cents, sums.difference_cents, result.example),
                ]
            )


def _euros(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"
