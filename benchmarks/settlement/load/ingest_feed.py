"""Ingests a feed at a fixed rate, in ten batches a second."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from django.utils import timezone

from benchmarks.workspace import BENCHMARK
from rounds.documents import Document, read_documents
from rounds.rules.facts import Round
from rounds.services.ingest import ingest_documents
from rounds.wake_workers import wake_settlement_workers

_TIMES_A_SECOND: Final = 10


def hand_over(file: Path, *, bets_per_s: int) -> Iterator[int]:
    """Ingests a part of the feed, rings, waits; gives how many bets that has been so far."""
    started, bets = time.monotonic(), 0
    with file.open("rb") as lines:
        documents = (document for batch in read_documents(lines) for document in batch)
        for part in _parts(documents, bets_per_s // _TIMES_A_SECOND):
            ingest_documents(part, source="load", at=timezone.now(), actor=BENCHMARK)
            wake_settlement_workers()
            bets += sum(map(_bets_of, part))
            yield bets
            time.sleep(max(0, started + bets / bets_per_s - time.monotonic()))


def _parts(documents: Iterable[Document], bets: int) -> Iterator[list[Document]]:
    """The documents in groups of at least so many bets."""
    part: list[Document] = []
    for document in documents:
        part.append(document)
        if sum(map(_bets_of, part)) >= bets:
            yield part
            part = []


def _bets_of(document: Document) -> int:
    return len(document.parsed.bets) if isinstance(document.parsed, Round) else 0
