"""`manage.py verify_trail`: works out the whole audit trail from its rows, and what rests on it."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import connection, transaction

from compliance.trail.beside import verify_beside
from compliance.trail.heads import Head
from compliance.trail.log_faults import LogFault
from compliance.trail.verify import Fault
from compliance.trail.verify_log import Verified, verify_trail
from compliance.trail.wording import fault_words


class Command(BaseCommand):
    """Names the first wrong row and how many more there are; ends with 1 if there is one."""

    help = (
        "Recomputes every leaf, batch, link, root and signature of the audit trail, compares the"
        " rows that are on record, and works out facts and money anew."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--key-id", help="of the first key, as it is known outside")
        parser.add_argument(
            "--head", type=Path, help="a signed head that was kept outside, as JSON"
        )
        parser.add_argument(
            "--trail-only", action="store_true", help="leave out facts and money, which take longer"
        )

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401  Django's signature
        witnessed = _witnessed(options["head"])
        faults: list[Fault | LogFault] = []
        wrong: list[str] = []
        beside: list[str] = []
        started = time.perf_counter()
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            verified = verify_trail(
                report=faults.append, trusted_key=options["key_id"], witnessed=witnessed
            )
            seconds = time.perf_counter() - started
            if not options["trail_only"]:
                beside = verify_beside(wrong.append)
        self._tell(verified, seconds)
        for looked_at in beside:
            self.stdout.write(f"{looked_at}, worked out anew")
        wrong = [*map(fault_words, faults), *wrong]
        if wrong:
            more = f"; {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise CommandError(f"first wrong: {wrong[0]}{more}", returncode=1)
        self.stdout.write("everything is as it was written")

    def _tell(self, verified: Verified, seconds: float) -> None:
        self.stdout.write(
            f"{verified.records:,} records, {verified.in_log:,} of them in the log under"
            f" {verified.heads:,} signed heads, {verified.waiting:,} batches wait;"
            f" {verified.records / seconds:,.0f} records a second"
        )


def _witnessed(file: Path | None) -> tuple[Head, bytes] | None:
    if file is None:
        return None
    try:
        return Head.from_json(file.read_text())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{file} holds no signed head: {error!r}") from error
