"""Ingestion of feed documents: facts are stored and rounds queued for settlement.

A batch is one transaction. Ingestion is idempotent: an interrupted feed is simply ingested again.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import add
from typing import Final, NamedTuple, TypedDict

from django.db import DataError, IntegrityError, OperationalError, transaction
from psycopg import errors

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from rounds import feed
from rounds.arrival import Arrival
from rounds.booking_day import open_books
from rounds.documents import Document
from rounds.services.sort_documents import NewRound, SortedBatch, sort_documents
from rounds.services.store import store_documents

_TRIES: Final = 5


class _About(TypedDict):
    """The origin of a batch."""

    source: str
    at: datetime
    actor: Actor
    arrival: Arrival


class Tally(NamedTuple):
    """Counts of ingested documents by result."""

    rounds: int = 0
    shoes: int = 0
    known: int = 0
    conflicts: int = 0
    quarantined: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """The sum of two tallies."""
        return Tally(*map(add, self, other))


def ingest_documents(
    documents: Sequence[Document],
    *,
    source: str,
    at: datetime,
    actor: Actor,
    arrival: Arrival | None = None,
) -> Tally:
    """``ingest_sorted``, with counts as its result."""
    batch = ingest_sorted(documents, source=source, at=at, actor=actor, arrival=arrival)
    return tally_of(batch)


def ingest_sorted(
    documents: Sequence[Document],
    *,
    source: str,
    at: datetime,
    actor: Actor,
    arrival: Arrival | None = None,
) -> SortedBatch:
    """Stores a batch in one transaction, each document once, and returns it sorted by result.

    ``source`` names the origin of the documents; ``arrival`` defaults to now, by a program, within
    the default limits. Invalid documents are quarantined, as are those that PostgreSQL cannot store
    (a zero character, a name too long for an index).
    """
    arrival = arrival or Arrival(at)
    about: _About = {"source": source, "at": at, "actor": actor, "arrival": arrival}
    try:
        return _ingest_batch(documents, **about)
    except (DataError, OperationalError) as error:
        if not _is_about_the_data(error):
            raise
        if len(documents) == 1:
            return _ingest_batch([_unstorable(documents[0], error)], **about)
    batch = SortedBatch()
    for document in documents:
        batch.extend(ingest_sorted([document], **about))
    return batch


def tally_of(batch: SortedBatch) -> Tally:
    """The counts of a batch."""
    rounds = sum(isinstance(new, NewRound) for new in batch.arrivals)
    return Tally(
        rounds=rounds,
        shoes=len(batch.arrivals) - rounds,
        known=len(batch.known),
        conflicts=len(batch.conflicts),
        quarantined=len(batch.rejected),
    )


def _ingest_batch(
    documents: Sequence[Document], *, source: str, at: datetime, actor: Actor, arrival: Arrival
) -> SortedBatch:
    """One transaction; retried if another process stored one of the rounds in the meantime.

    Locks serialize the batches of a table: only a round id used by two tables needs a retry.
    """
    for last in (*[False] * (_TRIES - 1), True):
        try:
            with transaction.atomic():
                books = open_books(at=at)
                lock_names(_names(documents, source))
                batch = sort_documents(documents, arrival=arrival)
                store_documents(
                    batch,
                    signature=arrival.signature,
                    source=source,
                    books=books,
                    at=at,
                    actor=actor,
                )
        except IntegrityError:
            if last:
                raise
        else:
            break
    return batch


def _names(documents: Sequence[Document], source: str) -> Iterator[str]:
    yield f"source:{source}"
    for document in documents:
        if not isinstance(document.parsed, feed.FeedError):
            yield f"table:{document.parsed.table}"
            yield f"shoe:{document.parsed.shoe}"


def _is_about_the_data(error: Exception) -> bool:
    return isinstance(error, DataError) or isinstance(error.__cause__, errors.ProgramLimitExceeded)


def _unstorable(document: Document, error: Exception) -> Document:
    reference = getattr(document.parsed, "round", None)
    text = str(error).strip().replace("\x00", "\\x00")
    invalid = feed.FeedError("document", text, "text and numbers that can be stored", reference)
    return document._replace(parsed=invalid)
