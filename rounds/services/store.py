"""Writing a sorted batch: facts by COPY, work queued, refused documents kept, all recorded."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final

from compliance.trail.actor import Actor
from compliance.trail.copying import copy_lines, copy_rows
from compliance.trail.record import Entry, record_entries
from rounds.books import OpenBooks
from rounds.gaming_day import gaming_day
from rounds.known import known_digest
from rounds.models import (
    Bet,
    ConflictingDocument,
    QuarantinedDocument,
    QueuedRound,
    Round,
    RoundName,
    ShoeOpening,
)
from rounds.services.intake import customer_ids, next_arrivals
from rounds.services.sorting import Conflict, NewOpening, NewRound, Refusal, Sorted
from rounds.storage import BET_COLUMNS, bet_lines, cards_column, datetime_of

_OPENING_COLUMNS: Final = (
    "arrival",
    "shoe",
    "table_id",
    "opened_at",
    "burnt",
    "burnt_face_down",
    "digest",
    "received_at",
)
_ROUND_COLUMNS: Final = (
    "id",
    "arrival",
    "reference",
    "table_id",
    "limit_set_id",
    "rules",
    "rules_digest",
    "shoe",
    "drawn",
    "shoe_position",
    "shoe_seen",
    "opened_at",
    "closed_at",
    "ended_at",
    "session",
    "cards",
    "multipliers",
    "bonus",
    "disconnects",
    "malfunction",
    "bet_count",
    "staked_cents",
    "digest",
    "source",
    "received_at",
    "booked_on",
)
_NAME_COLUMNS: Final = ("reference", "round_id", "digest")
_QUEUE_COLUMNS: Final = ("round_id", "arrival", "bet_count", "due_at", "attempts", "last_error")


def store_documents(
    found: Sorted, *, source: str, books: OpenBooks, at: datetime, actor: Actor
) -> None:
    """Writes what ``sort_documents`` found, in the current transaction."""
    numbered = list(zip(next_arrivals(len(found.arrivals)), found.arrivals, strict=True))
    _store_openings([(n, new) for n, new in numbered if isinstance(new, NewOpening)], at=at)
    rounds = [(number, new) for number, new in numbered if isinstance(new, NewRound)]
    _store_rounds(rounds, source=source, books=books, at=at)
    entries = [*_arrival_entries(numbered, source, books)]
    entries += _store_refusals(found.refusals, source=source, at=at)
    entries += _store_conflicts(found.conflicts, source=source, at=at)
    record_entries(entries, at=at, actor=actor)


def _store_openings(openings: Sequence[tuple[int, NewOpening]], *, at: datetime) -> None:
    copy_rows(
        ShoeOpening,
        _OPENING_COLUMNS,
        (
            (
                arrival,
                new.opening.shoe,
                new.table.id,
                datetime_of(new.opening.opened_at),
                list(new.opening.burnt),
                new.opening.burnt_face_down,
                new.digest,
                at,
            )
            for arrival, new in openings
        ),
    )


def _store_rounds(
    rounds: Sequence[tuple[int, NewRound]], *, source: str, books: OpenBooks, at: datetime
) -> None:
    if not rounds:
        return
    customers = customer_ids({bet.player for _, new in rounds for bet in new.dealt.bets})
    copy_rows(
        Round,
        _ROUND_COLUMNS,
        (
            (*_round_row(arrival, new), source, at, _booked_on(new, books))
            for arrival, new in rounds
        ),
    )
    copy_rows(
        RoundName, _NAME_COLUMNS, ((new.dealt.round, new.id, new.digest) for _, new in rounds)
    )
    copy_lines(
        Bet,
        BET_COLUMNS,
        (block for _, new in rounds for block in bet_lines(new.id, new.dealt.bets, customers)),
    )
    copy_rows(
        QueuedRound,
        _QUEUE_COLUMNS,
        (
            (new.id, arrival, len(new.dealt.bets), _due_at(new, at), 0, "")
            for arrival, new in rounds
        ),
    )


def _due_at(new: NewRound, at: datetime) -> datetime:
    return new.table.due_at(opened_at=datetime_of(new.dealt.opened_at), at=at)


def _booked_on(new: NewRound, books: OpenBooks) -> date:
    return books.day_for(gaming_day(new.dealt.opened_at))


def _round_row(arrival: int, new: NewRound) -> tuple[Any, ...]:
    dealt, shoe = new.dealt, new.shoe_before
    return (
        new.id,
        arrival,
        dealt.round,
        new.table.id,
        new.table.limit_set_id,
        dealt.rules,
        new.rules_digest,
        dealt.shoe,
        dealt.drawn,
        None if shoe is None else shoe.position,
        None if shoe is None else shoe.seen,
        datetime_of(dealt.opened_at),
        datetime_of(dealt.closed_at),
        datetime_of(dealt.ended_at),
        dealt.session,
        cards_column(dealt.cards),
        _json(dealt.multipliers),
        _json(dealt.bonus),
        _json(dealt.disconnects or None),
        dealt.malfunction,
        len(dealt.bets),
        sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets),
        new.digest,
    )


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value)


def _arrival_entries(
    numbered: Sequence[tuple[int, NewRound | NewOpening]], source: str, books: OpenBooks
) -> Iterator[Entry]:
    for arrival, new in numbered:
        details = {"source": source, "line": new.document.line, "digest": new.digest.hex()}
        if isinstance(new, NewRound):
            details |= {"rules": new.dealt.rules, "rules_digest": new.rules_digest.hex()}
            details["known"] = _known(arrival, new).hex()
            booked_on = _booked_on(new, books)
            if booked_on != gaming_day(new.dealt.opened_at):
                details["booked_on"] = booked_on.isoformat()
            yield Entry("ROUND_RECEIVED", f"round:{new.dealt.round}", details)
        else:
            yield Entry("SHOE_OPENED", f"shoe:{new.opening.shoe}", details)


def _known(arrival: int, new: NewRound) -> bytes:
    position, seen = (None, None) if new.shoe_before is None else new.shoe_before
    limit_set_id = new.table.limit_set_id
    return known_digest(arrival=arrival, limit_set_id=limit_set_id, position=position, seen=seen)


def _store_refusals(refusals: Sequence[Refusal], *, source: str, at: datetime) -> Iterator[Entry]:
    """Keeps what cannot be taken; what this feed brought before, at the same line, stays once."""
    for document, reason in refusals:
        _, created = QuarantinedDocument.objects.get_or_create(
            source=source,
            line=document.line,
            digest=hashlib.sha256(document.content).digest(),
            defaults={
                "content": document.content,
                "received_at": at,
                "round_reference": reason.round,
                "field": reason.field,
                "found": reason.found,
                "needed": reason.needed,
            },
        )
        if created:
            details = {"line": document.line, "reason": str(reason)}
            yield Entry("DOCUMENT_QUARANTINED", f"feed:{source}", details)


def _store_conflicts(
    conflicts: Sequence[Conflict], *, source: str, at: datetime
) -> Iterator[Entry]:
    """Keeps other content under a stored round's id, once for each content."""
    for document, conflicting_id, digest in conflicts:
        conflict, created = ConflictingDocument.objects.get_or_create(
            round_id=conflicting_id,
            digest=digest,
            defaults={
                "content": document.content,
                "received_at": at,
                "source": source,
                "line": document.line,
            },
        )
        if created:
            details = {"source": source, "line": document.line, "digest": digest.hex()}
            yield Entry("ROUND_CONFLICTED", f"round:{conflict.round.reference}", details)
