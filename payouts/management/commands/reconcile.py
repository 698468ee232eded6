"""``manage.py reconcile``: compares what is stored with what follows from the facts."""

import time
from argparse import ArgumentParser
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from compliance.trail.actor import Actor
from payouts.management.arguments import day_argument
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.models import ReconcileDifference, ReconcileRun
from payouts.reconciliation.reconcile import (
    Scope,
    begin_reconciliation,
    figures_of,
    finish_reconciliation,
    work_on_part,
)
from payouts.tasks import wake_reconciliation_workers
from rounds.models import Round
from rounds.queries import round_by_reference

_POLL_SECONDS: Final = 0.2
_BAD_ARGUMENT: Final = 2


class Command(BaseCommand):
    """Works on the parts of a run, together with the workers."""

    help = (
        "Compares stored with recomputed values: balances with transfers, settlements with the"
        " verdict of the rules on the stored cards, transfers and daily totals with settlements,"
        " audit records with their digests. Changes no data. Exits with 0 without differences, with"
        " 1 and a list of differences, or with 2 for an invalid argument."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="first",
            type=day_argument,
            metavar="DAY",
            help="only rounds, totals and records from this day of play (Rome), 2026-11-21",
        )
        parser.add_argument(
            "--to",
            dest="last",
            type=day_argument,
            metavar="DAY",
            help="only rounds, totals and records up to this day, inclusive",
        )
        parser.add_argument("--round", metavar="ROUND", help="only the round with this id")
        parser.add_argument(
            "--resume",
            action="store_true",
            help="continue the latest interrupted run instead of starting a new one",
        )

    @no_translations
    def handle(self, **options: Any) -> None:
        run = _run_of(options)
        _work_on(run)
        self._report(run)

    def _report(self, run: ReconcileRun) -> None:
        figures = figures_of(run)
        looked_at = (
            f"{figures['rounds']:,} rounds, {figures['bets']:,} bets, {figures['transfers']:,}"
            f" transfers, {figures['accounts']:,} accounts, {figures['records']:,} audit records"
        )
        differing = figures["differences"]
        if not differing:
            self.stdout.write(f"{looked_at}: no differences")
            return
        differences = ReconcileDifference.objects.filter(part__run=run).order_by("part_id", "id")
        written = 0
        for difference in differences.iterator():
            self.stdout.write(difference_message(difference))
            written += 1
        if written < differing:
            self.stdout.write(f"and {differing - written:,} more")
        raise CommandError(f"{looked_at}: {differing:,} differences")


def _run_of(options: dict[str, Any]) -> ReconcileRun:
    if options["resume"]:
        return _interrupted_run(options)
    scope = _scope_of(options)
    return begin_reconciliation(scope=scope, at=timezone.now(), actor=Actor("reconcile"))


def _interrupted_run(options: dict[str, Any]) -> ReconcileRun:
    for name, option in (("first", "--from"), ("last", "--to"), ("round", "--round")):
        if options[name] is not None:
            raise _error(option, options[name], "none: --resume continues an existing run")
    run = ReconcileRun.objects.filter(finished_at=None).order_by("-id").first()
    if run is None:
        raise _error("--resume", "no interrupted run", "an unfinished run")
    return run


def _scope_of(options: dict[str, Any]) -> Scope:
    first, last, reference = options["first"], options["last"], options["round"]
    if first is not None and last is not None and first > last:
        raise _error("--to", last, f"{first} (--from) or later")
    if reference is None:
        return Scope(first_day=first, last_day=last)
    if first is not None or last is not None:
        raise _error("--round", f"{reference} together with days", "either a round or days")
    row = round_by_reference(reference) or _round_of_id(reference)
    if row is None:
        raise _error("--round", f"no round {reference}", "an ingested round")
    return Scope(round_id=row.pk)


def _round_of_id(text: str) -> Round | None:
    try:
        return Round.objects.filter(pk=UUID(text)).first()
    except ValueError:
        return None


def _error(field: str, found: object, needed: str) -> CommandError:
    return CommandError(f"{field}: found {found}; needed {needed}", returncode=_BAD_ARGUMENT)


def _work_on(run: ReconcileRun) -> None:
    """Works on free parts, and waits for those of other workers, until none is left."""
    parts, left = run.parts.count(), run.parts.filter(done_at=None)
    wake_reconciliation_workers(left.count())
    with _progress() as progress:
        bar = progress.add_task("Reconciling", total=parts)
        while not finish_reconciliation(run.pk, now=timezone.now):
            if not work_on_part(run.pk, now=timezone.now):
                time.sleep(_POLL_SECONDS)
            progress.update(bar, completed=parts - left.count())
        progress.update(bar, completed=parts)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("parts"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
    )
