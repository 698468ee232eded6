"""Sorting a batch of documents: what is new, known already, in conflict, or cannot be taken."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from rounds import feed
from rounds.documents import Document
from rounds.identity import round_id
from rounds.rules import facts
from rounds.rules.catalogue import rule_set
from rounds.rules.shoe import Shoe
from rounds.services.intake import (
    KnownTable,
    known_tables,
    shoes_now,
    stored_openings,
    stored_rounds,
)


class NewRound(NamedTuple):
    """A round that is not stored yet, and its shoe as it stood when the round arrived."""

    id: UUID
    document: Document
    dealt: facts.Round
    digest: bytes
    rules_digest: bytes
    table: KnownTable
    shoe_before: Shoe | None


class NewOpening(NamedTuple):
    """An announcement of a shoe that is not stored yet."""

    document: Document
    opening: facts.ShoeOpening
    digest: bytes
    table: KnownTable


class Known(NamedTuple):
    """A document that is stored already; the id of its round, None for a shoe."""

    document: Document
    round_id: UUID | None


class Conflict(NamedTuple):
    """A document that gives a stored round's id to other content."""

    document: Document
    round_id: UUID
    digest: bytes


class Refusal(NamedTuple):
    """A document that cannot be taken: the field, the state found, the state needed."""

    document: Document
    reason: feed.Refused


@dataclass(slots=True)
class Sorted:
    """A batch, sorted. ``arrivals`` keeps new rounds and openings in the feed's order."""

    arrivals: list[NewRound | NewOpening] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)

    def extend(self, other: "Sorted") -> None:
        """Adds what was found of further documents."""
        self.arrivals += other.arrivals
        self.conflicts += other.conflicts
        self.refusals += other.refusals
        self.known += other.known


def sort_documents(documents: Sequence[Document]) -> Sorted:
    """Looks every document up; call it with the names of the batch locked."""
    sorter = _Sorter(documents)
    for document in documents:
        sorter.sort(document)
    return sorter.found


class _Sorter:
    """What the documents of one batch are compared with; grows as the batch is read."""

    def __init__(self, documents: Sequence[Document]) -> None:
        said = [document.said for document in documents]
        rounds = [item for item in said if isinstance(item, facts.Round)]
        openings = [item for item in said if isinstance(item, facts.ShoeOpening)]
        shoes = {opening.shoe for opening in openings}
        shoes |= {dealt.shoe for dealt in rounds if dealt.shoe is not None}
        tables = {opening.table for opening in openings} | {dealt.table for dealt in rounds}
        self.tables = known_tables(tables)
        self.stored = stored_rounds({item.round for item in rounds})
        self.openings = stored_openings({item.shoe for item in openings})
        self.shoes = shoes_now(shoes)
        self.found = Sorted()

    def sort(self, document: Document) -> None:
        said = document.said
        try:
            if isinstance(said, feed.Refused):
                raise said
            if isinstance(said, facts.Round):
                self._sort_round(document, said)
            else:
                self._sort_opening(document, said)
        except feed.Refused as reason:
            self.found.refusals.append(Refusal(document, reason))

    def _sort_round(self, document: Document, dealt: facts.Round) -> None:
        digest = feed.content_digest(dealt)
        if dealt.round in self.stored:
            stored_id, stored_digest = self.stored[dealt.round]
            if stored_digest == digest:
                self.found.known.append(Known(document, stored_id))
            else:
                self.found.conflicts.append(Conflict(document, stored_id, digest))
            return
        table = self._table(dealt.table, round_reference=dealt.round)
        if dealt.rules != table.rules:
            needed = f'"{table.rules}", which the table {dealt.table} runs'
            raise feed.Refused("rules", f'"{dealt.rules}"', needed, dealt.round)
        before = self._deal_from_shoe(dealt)
        identity = round_id(reference=dealt.round, opened_at=dealt.opened_at)
        self.stored[dealt.round] = (identity, digest)
        self.found.arrivals.append(
            NewRound(identity, document, dealt, digest, rule_set(dealt.rules).digest, table, before)
        )

    def _deal_from_shoe(self, dealt: facts.Round) -> Shoe | None:
        """The shoe before the round; from here on it stands after it."""
        if dealt.shoe is None:
            return None
        before = self.shoes.get(dealt.shoe, Shoe())
        self.shoes[dealt.shoe] = before.after(dealt)
        return before

    def _sort_opening(self, document: Document, opening: facts.ShoeOpening) -> None:
        digest = feed.content_digest(opening)
        if (opening.shoe, digest) in self.openings:
            self.found.known.append(Known(document, None))
            return
        table = self._table(opening.table, round_reference=None)
        self.openings.add((opening.shoe, digest))
        self.shoes[opening.shoe] = Shoe.opened(opening)
        self.found.arrivals.append(NewOpening(document, opening, digest, table))

    def _table(self, code: str, *, round_reference: str | None) -> KnownTable:
        if code not in self.tables:
            raise feed.Refused("table", f'"{code}"', "a registered table", round_reference)
        return self.tables[code]
