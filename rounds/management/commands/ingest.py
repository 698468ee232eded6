"""``manage.py ingest FILE|-``: takes a feed into the database."""

import argparse
import contextlib
import sys
from collections.abc import Iterator
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

from compliance.trail.actor import Actor
from rounds.arrival import Arrival, configured_limits
from rounds.documents import Document, read_documents
from rounds.services.ingest import Tally, ingest_documents
from rounds.wake_workers import wake_settlement_workers


class Command(BaseCommand):
    """Streams a feed of any length; after an interruption, run it again."""

    help = "Ingests an NDJSON feed (round/1, shoe/1) and notifies the settlement workers."
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the feed; - reads standard input")
        parser.add_argument(
            "--source", help="the name stored with every document (default: the file's name)"
        )

    def handle(self, *, file: str, source: str | None, **_options: Any) -> None:
        name = source or (Path(file).name if file != "-" else "standard input")
        tally = Tally()
        with _opened(file) as stream, _progress() as progress:
            bar = progress.add_task(name, total=_size(file))
            for batch in read_documents(stream):
                tally = tally.plus(_ingest(batch, name))
                wake_settlement_workers()
                progress.advance(bar, sum(len(document.content) for document in batch))
        self.stdout.write(
            f"{name}: {tally.rounds} rounds and {tally.shoes} shoes stored, "
            f"{tally.known} already stored, {tally.conflicts} in conflict with a stored round, "
            f"{tally.quarantined} quarantined"
        )


def _ingest(batch: list[Document], source: str) -> Tally:
    at = timezone.now()
    arrival = Arrival(at, configured_limits())
    return ingest_documents(batch, source=source, at=at, actor=Actor("ingest"), arrival=arrival)


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
