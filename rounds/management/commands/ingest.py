"""``manage.py ingest FILE|-``: takes a feed into the database."""

import argparse
import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from compliance.release.record_state import verify_at_start
from compliance.trail.actor import Actor
from rounds.arrival import configured_limits
from rounds.models.intake import LONGEST_SOURCE
from rounds.services.ingest_signed_lines import ingest_with_signatures
from rounds.signatures.batch_lines import SUFFIX
from rounds.wake_workers import wake_settlement_workers


class Command(BaseCommand):
    """Streams a feed of any length; after an interruption, run it again."""

    help = (
        "Ingests an NDJSON feed (round/1, shoe/1) and notifies the settlement workers. Signatures"
        " in FILE.sig are verified; lines without a valid one count as unsigned."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the feed; - reads standard input")
        parser.add_argument(
            "--source", help="the name stored with every document (default: the file's name)"
        )
        parser.add_argument(
            "--signatures",
            metavar="FILE",
            help="the studio's signatures of the feed (default: FILE.sig, if there is one)",
        )

    def handle(
        self, *, file: str, source: str | None, signatures: str | None, **_options: Any
    ) -> None:
        if source and len(source) > LONGEST_SOURCE:
            raise CommandError(
                f"--source: found {len(source)} characters; needed at most {LONGEST_SOURCE}"
            )
        verify_at_start(Actor("starting ingest"))
        name = source or (Path(file).name[-LONGEST_SOURCE:] if file != "-" else "standard input")
        with (
            _opened(file) as stream,
            _signatures(file, signatures) as signature_lines,
            _progress() as progress,
        ):
            bar = progress.add_task(name, total=_size(file))

            def after_batch(size: int) -> None:
                wake_settlement_workers()
                progress.advance(bar, size)

            result = ingest_with_signatures(
                stream,
                signature_lines,
                source=name,
                now=timezone.now,
                actor=Actor("ingest"),
                limits=configured_limits(),
                after_batch=after_batch,
            )
        tally = result.tally
        self.stdout.write(
            f"{name}: {tally.rounds} rounds and {tally.shoes} shoes stored, "
            f"{tally.known} already stored, {tally.conflicts} in conflict with a stored round, "
            f"{tally.quarantined} quarantined"
        )
        if result.signed_lines or result.fault is not None:
            self.stdout.write(f"{name}: the first {result.signed_lines} lines are signed")
        if result.fault is not None:
            self.stderr.write(f"{name}: the lines after that count as unsigned; {result.fault}")


@contextlib.contextmanager
def _signatures(file: str, signatures: str | None) -> Iterator[Iterable[bytes]]:
    """The lines of the file of signatures; none without one."""
    beside = f"{file}{SUFFIX}"
    if signatures is None and (file == "-" or not Path(beside).exists()):
        yield ()
        return
    with _opened(signatures or beside) as stream:
        yield stream


@contextlib.contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise CommandError(
            f"FILE: found {file}: {error.strerror}; needed a readable file"
        ) from None


def _size(file: str) -> int | None:
    return Path(file).stat().st_size if file != "-" else None


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
