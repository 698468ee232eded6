"""``manage.py rejudge``: judges the rounds of archived months again."""

import sys
import time
from argparse import ArgumentParser
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import django
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.archive.management.arguments import month_argument
from compliance.archive.models import RejudgeRun
from compliance.archive.recorded_archives import ArchiveMissing
from compliance.archive.rejudge import (
    FIGURES,
    BadSpan,
    begin_rejudging,
    figures_of,
    findings_of,
    finish_rejudging,
    work_on_part,
)
from compliance.archive.tasks import wake_rejudging_workers
from compliance.archive.verify_archive import BadArchive
from compliance.exports.bundle.signing import certificate_digests
from compliance.trail.actor import Actor

_POLL_SECONDS: Final = 0.2
_BAD_ARGUMENT: Final = 2


class Command(BaseCommand):
    """Works on the parts of a run, together with the workers."""

    help = (
        "Judges all rounds of archived months again, from the files of the archive alone: facts,"
        " results, settlements and transfers. Workers that have the archive take part. Continues"
        " an unfinished run of the same archives. Exits with 1 if something differs, with 2 for an"
        " invalid argument."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="first",
            type=month_argument,
            required=True,
            metavar="MONTH",
            help="the first month, as 2026-10",
        )
        parser.add_argument(
            "--to",
            dest="last",
            type=month_argument,
            metavar="MONTH",
            help="the last month; the first by default",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=1,
            metavar="N",
            help="how many processes of this command share the work, besides workers",
        )

    @no_translations
    def handle(self, **options: Any) -> None:
        first, last = options["first"], options["last"] or options["first"]
        if (processes := options["processes"]) < 1:
            raise CommandError(
                f"--processes: found {processes}; needed 1 or more", returncode=_BAD_ARGUMENT
            )
        try:
            run = begin_rejudging(
                first,
                last,
                folder=Path(settings.ARCHIVE_FOLDER),
                keys=certificate_digests(Path(settings.EXPORT_KEY)),
                at=timezone.now(),
                actor=Actor("rejudge"),
            )
        except (BadSpan, ArchiveMissing, BadArchive) as error:
            raise CommandError(str(error), returncode=_BAD_ARGUMENT) from None
        self._work_on(run, processes)
        figures = figures_of(run)
        for finding in findings_of(run):
            self.stdout.write(finding)
        counts = ", ".join(f"{name} {figures[name]:,}" for name in FIGURES)
        self.stdout.write(f"{first} to {last}: {counts}")
        if figures["differences"]:
            raise CommandError(f"{figures['differences']:,} differences")

    def _work_on(self, run: RejudgeRun, processes: int) -> None:
        """Works on free parts, and waits for those of others, until none is left."""
        wake_rejudging_workers(run.parts.count())
        with ProcessPoolExecutor(processes, get_context("spawn"), django.setup) as pool:
            works = [pool.submit(work_on_parts, run.pk) for _ in range(processes)]
            while not finish_rejudging(run.pk, now=timezone.now):
                _raise_failure(works)
                self._show_progress(run)
                time.sleep(_POLL_SECONDS)
        self._show_progress(run)

    def _show_progress(self, run: RejudgeRun) -> None:
        if sys.stderr.isatty():
            parts, left = run.parts.count(), run.parts.filter(done_at=None).count()
            self.stderr.write(f"\rparts: {parts - left:,} of {parts:,}   ", ending="")


def work_on_parts(run_id: int) -> None:
    """Works on the parts of a run until none is free. In a process of its own."""
    run = RejudgeRun.objects.get(pk=run_id)
    folder = Path(settings.ARCHIVE_FOLDER)
    keys = certificate_digests(Path(settings.EXPORT_KEY))
    while work_on_part(run, folder=folder, keys=keys, now=timezone.now):
        pass


def _raise_failure(works: "list[Future[None]]") -> None:
    for work in works:
        if work.done():
            work.result()
