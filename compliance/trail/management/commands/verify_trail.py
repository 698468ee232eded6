"""`manage.py verify_trail`: recomputes the audit trail, and what other packages verify with it."""

import os
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import transaction

from compliance.trail.extra_checks import begin_snapshot, run_extra_checks
from compliance.trail.fault_messages import fault_message
from compliance.trail.log.log_faults import LogFault
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.log.verify_log import Verified, verify_trail
from compliance.trail.verify_records import Fault


class Command(BaseCommand):
    """Prints the first fault and the number of others; exit status 1 if there is one."""

    help = (
        "Recomputes every leaf, batch, link, root and signature of the audit trail, compares the"
        " attested rows with their digests, and recomputes facts and money."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--key-id", help="the id of the first key, as stored outside the database"
        )
        parser.add_argument(
            "--head", type=Path, help="a signed head stored outside the database, as JSON"
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            metavar="N",
            help="how many share the records; as many as there are processors by default",
        )
        parser.add_argument(
            "--trail-only", action="store_true", help="skip facts and money, which take longer"
        )

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        witnessed = _witnessed(options["head"])
        faults: list[Fault | LogFault] = []
        wrong: list[str] = []
        summaries: list[str] = []
        started = time.perf_counter()
        with transaction.atomic():
            begin_snapshot()
            verified = verify_trail(
                report=faults.append,
                trusted_key=options["key_id"],
                witnessed=witnessed,
                processes=options["processes"],
            )
            seconds = time.perf_counter() - started
            if not options["trail_only"]:
                summaries = run_extra_checks(wrong.append)
        self._print(verified, seconds)
        for line in [*verified.notes, *summaries]:
            self.stdout.write(line)
        wrong = [*map(fault_message, faults), *wrong]
        if wrong:
            more = f"; {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise CommandError(f"first fault: {wrong[0]}{more}", returncode=1)
        self.stdout.write("no faults")

    def _print(self, verified: Verified, seconds: float) -> None:
        self.stdout.write(
            f"{verified.records:,} records, {verified.in_log:,} of them in the log under"
            f" {verified.heads:,} signed heads, {verified.waiting:,} batches pending;"
            f" {verified.records / seconds:,.0f} records a second"
        )


def _witnessed(file: Path | None) -> WitnessedHead | None:
    if file is None:
        return None
    try:
        return WitnessedHead.from_json(file.read_text())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{file} contains no signed head: {error!r}") from error
