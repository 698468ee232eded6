"""Sorting of a batch: new, known, conflicting and rejected documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from rounds import feed
from rounds.arrival import Arrival
from rounds.documents import Document
from rounds.identity import round_id
from rounds.rules import facts
from rounds.rules.catalogue import rule_set
from rounds.rules.shoe import Shoe
from rounds.services.intake import (
    KnownTable,
    is_in_database,
    known_tables,
    shoes_now,
    stored_openings,
    stored_rounds,
)


class NewRound(NamedTuple):
    """A round that is not stored yet, with the state of its shoe before it."""

    id: UUID
    document: Document
    dealt: facts.Round
    digest: bytes
    rules_digest: bytes
    table: KnownTable
    shoe_before: Shoe | None
    anomalies: list[str]
    """Codes that hold the round because of its arrival (``rounds.arrival``)."""
    is_signed: bool


class NewOpening(NamedTuple):
    """A shoe opening that is not stored yet."""

    document: Document
    opening: facts.ShoeOpening
    digest: bytes
    table: KnownTable


class KnownDocument(NamedTuple):
    """A document that is stored already, with the id of its round, None for a shoe."""

    document: Document
    round_id: UUID | None


class Conflict(NamedTuple):
    """A document with the id of a stored round and other content."""

    document: Document
    round_id: UUID
    digest: bytes


class RejectedDocument(NamedTuple):
    """An invalid document, with its error."""

    document: Document
    error: feed.FeedError


@dataclass(slots=True)
class SortedBatch:
    """A sorted batch. ``arrivals`` holds new rounds and openings in the feed's order."""

    arrivals: list[NewRound | NewOpening] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    rejected: list[RejectedDocument] = field(default_factory=list)
    known: list[KnownDocument] = field(default_factory=list)

    def extend(self, other: "SortedBatch") -> None:
        """Adds another batch."""
        self.arrivals += other.arrivals
        self.conflicts += other.conflicts
        self.rejected += other.rejected
        self.known += other.known


def sort_documents(documents: Sequence[Document], *, arrival: Arrival) -> SortedBatch:
    """Sorts the documents; the caller has locked the names of the batch.

    A stored document is known even if its times are implausible; other times are checked.
    """
    sorter = _Sorter(documents, arrival)
    for document in documents:
        sorter.sort(document)
    return sorter.batch


class _Sorter:
    """The stored state that documents are compared with, updated document by document."""

    def __init__(self, documents: Sequence[Document], arrival: Arrival) -> None:
        self.arrival = arrival
        parsed = [document.parsed for document in documents]
        rounds = [item for item in parsed if isinstance(item, facts.Round)]
        openings = [item for item in parsed if isinstance(item, facts.ShoeOpening)]
        shoes = {opening.shoe for opening in openings}
        shoes |= {dealt.shoe for dealt in rounds if dealt.shoe is not None}
        tables = {opening.table for opening in openings} | {dealt.table for dealt in rounds}
        self.tables = known_tables(tables)
        self.stored = stored_rounds({item.round for item in rounds})
        self.stored_before = frozenset(self.stored)
        self.openings = stored_openings({item.shoe for item in openings})
        self.shoes = shoes_now(shoes)
        self.batch = SortedBatch()

    def sort(self, document: Document) -> None:
        parsed = document.parsed
        try:
            if isinstance(parsed, feed.FeedError):
                raise parsed
            if isinstance(parsed, facts.Round):
                self._sort_round(document, parsed)
            else:
                self._sort_opening(document, parsed)
        except feed.FeedError as error:
            self.batch.rejected.append(RejectedDocument(document, error))

    def _sort_round(self, document: Document, dealt: facts.Round) -> None:
        digest = feed.content_digest(dealt)
        if dealt.round in self.stored:
            stored_id, stored_digest = self.stored[dealt.round]
            if stored_digest == digest:
                self.batch.known.append(KnownDocument(document, stored_id))
                return
        self.arrival.check(dealt)
        if dealt.round in self.stored:
            if dealt.round in self.stored_before and not is_in_database(stored_id):
                raise feed.FeedError(
                    "round",
                    f'"{dealt.round}", whose month is in the archive, with other content',
                    "the content that is archived, or its month restored first",
                    dealt.round,
                )
            self.batch.conflicts.append(Conflict(document, stored_id, digest))
            return
        table = self._table(dealt.table, round_reference=dealt.round)
        if dealt.rules != table.rules:
            needed = f'"{table.rules}", which the table {dealt.table} runs'
            raise feed.FeedError("rules", f'"{dealt.rules}"', needed, dealt.round)
        before = self._deal_from_shoe(dealt)
        identity = round_id(reference=dealt.round, opened_at=dealt.opened_at)
        self.stored[dealt.round] = (identity, digest)
        self.batch.arrivals.append(
            NewRound(
                identity,
                document,
                dealt,
                digest,
                rule_set(dealt.rules).digest,
                table,
                before,
                self.arrival.anomalies_of(dealt, requires_signature=table.requires_signature),
                self.arrival.is_signed(dealt),
            )
        )

    def _deal_from_shoe(self, dealt: facts.Round) -> Shoe | None:
        """The shoe before the round; advances the shoe."""
        if dealt.shoe is None:
            return None
        before = self.shoes.get(dealt.shoe, Shoe())
        self.shoes[dealt.shoe] = before.after(dealt)
        return before

    def _sort_opening(self, document: Document, opening: facts.ShoeOpening) -> None:
        digest = feed.content_digest(opening)
        if (opening.shoe, digest) in self.openings:
            self.batch.known.append(KnownDocument(document, None))
            return
        self.arrival.check(opening)
        table = self._table(opening.table, round_reference=None)
        self.openings.add((opening.shoe, digest))
        self.shoes[opening.shoe] = Shoe.opened(opening)
        self.batch.arrivals.append(NewOpening(document, opening, digest, table))

    def _table(self, code: str, *, round_reference: str | None) -> KnownTable:
        if code not in self.tables:
            raise feed.FeedError("table", f'"{code}"', "a registered table", round_reference)
        return self.tables[code]
