"""Taking documents of a feed into the database: facts stored, work queued, nothing lost.

A batch is one transaction. The same document again is a no-op, so a feed that was interrupted
anywhere is simply ingested again.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import DataError, IntegrityError, OperationalError, transaction
from psycopg import errors

from compliance.trail.actor import Actor
from rounds import feed
from rounds.books import open_books
from rounds.documents import Document
from rounds.services.intake import lock_names
from rounds.services.sorting import NewRound, Sorted, sort_documents
from rounds.services.store import store_documents

_TRIES: Final = 5


class Tally(NamedTuple):
    """What became of the documents of a batch, or of many."""

    rounds: int = 0
    shoes: int = 0
    known: int = 0
    conflicts: int = 0
    quarantined: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """The sum of two tallies."""
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def ingest_documents(
    documents: Sequence[Document], *, source: str, at: datetime, actor: Actor
) -> Tally:
    """Stores a batch as ``take_documents`` does; says how many of its documents became what."""
    return tally_of(take_documents(documents, source=source, at=at, actor=actor))


def take_documents(
    documents: Sequence[Document], *, source: str, at: datetime, actor: Actor
) -> Sorted:
    """Stores a batch: all of it or nothing, each document once, refused ones in quarantine.

    ``source`` names where the documents came from. A document that PostgreSQL cannot store (a
    zero character, a name too long for an index) is quarantined and the others go on. Says what
    became of each document.
    """
    try:
        return _ingest_batch(documents, source=source, at=at, actor=actor)
    except (DataError, OperationalError) as error:
        if not _is_about_the_data(error):
            raise
        if len(documents) == 1:
            refused = [_unstorable(documents[0], error)]
            return _ingest_batch(refused, source=source, at=at, actor=actor)
    found = Sorted()
    for document in documents:
        found.extend(take_documents([document], source=source, at=at, actor=actor))
    return found


def tally_of(found: Sorted) -> Tally:
    """How many documents became what."""
    rounds = sum(isinstance(new, NewRound) for new in found.arrivals)
    return Tally(
        rounds=rounds,
        shoes=len(found.arrivals) - rounds,
        known=len(found.known),
        conflicts=len(found.conflicts),
        quarantined=len(found.refusals),
    )


def _ingest_batch(
    documents: Sequence[Document], *, source: str, at: datetime, actor: Actor
) -> Sorted:
    """One transaction; again if another process stored one of the rounds in the meantime.

    The locks keep batches of one table apart; only two tables that claim the same round id, which
    is a conflict to be found, can meet here.
    """
    for last in (*[False] * (_TRIES - 1), True):
        try:
            with transaction.atomic():
                books = open_books(at=at)
                lock_names(_names(documents, source))
                found = sort_documents(documents)
                store_documents(found, source=source, books=books, at=at, actor=actor)
        except IntegrityError:
            if last:
                raise
        else:
            break
    return found


def _names(documents: Sequence[Document], source: str) -> Iterator[str]:
    yield f"source:{source}"
    for document in documents:
        if not isinstance(document.said, feed.Refused):
            yield f"table:{document.said.table}"
            yield f"shoe:{document.said.shoe}"


def _is_about_the_data(error: Exception) -> bool:
    return isinstance(error, DataError) or isinstance(error.__cause__, errors.ProgramLimitExceeded)


def _unstorable(document: Document, error: Exception) -> Document:
    reference = getattr(document.said, "round", None)
    found = str(error).strip().replace("\x00", "\\x00")
    refused = feed.Refused("document", found, "text and numbers that can be stored", reference)
    return document._replace(said=refused)
