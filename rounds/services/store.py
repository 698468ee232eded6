"""Storage of a sorted batch: facts by COPY, queue, quarantine, audit records."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final

from compliance.storage.copy_rows import copy_lines, copy_rows
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.booking_day import OpenBooks
from rounds.feed.digest import digest_of_arrival
from rounds.gaming_day import gaming_day
from rounds.models import (
    Bet,
    ConflictingDocument,
    QuarantinedDocument,
    QueuedRound,
    Round,
    RoundName,
    ShoeOpening,
    SignedBatch,
)
from rounds.row_mapping import BET_COLUMNS, ROUND_FACTS, bet_lines, datetime_of, round_columns
from rounds.services.intake import customer_ids, next_arrivals
from rounds.services.sort_documents import (
    Conflict,
    NewOpening,
    NewRound,
    RejectedDocument,
    SortedBatch,
)
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import store_signature

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
    *(fact.column for fact in ROUND_FACTS),
    "id",
    "arrival",
    "table_id",
    "limit_set_id",
    "rules_digest",
    "shoe_position",
    "shoe_seen",
    "bet_count",
    "staked_cents",
    "digest",
    "source",
    "received_at",
    "booked_on",
    "arrival_anomalies",
    "signed_batch_id",
)
_NAME_COLUMNS: Final = ("reference", "round_id", "digest")
_QUEUE_COLUMNS: Final = ("round_id", "arrival", "bet_count", "due_at", "attempts", "last_error")


def store_documents(
    batch: SortedBatch,
    *,
    signature: Signature | None,
    source: str,
    books: OpenBooks,
    at: datetime,
    actor: Actor,
) -> None:
    """Stores the result of ``sort_documents`` in the current transaction.

    The signature is stored if there is a new round that it covers.
    """
    numbered = list(zip(next_arrivals(len(batch.arrivals)), batch.arrivals, strict=True))
    _store_openings([(n, new) for n, new in numbered if isinstance(new, NewOpening)], at=at)
    rounds = [(number, new) for number, new in numbered if isinstance(new, NewRound)]
    signed = _store_signature(rounds, signature, source=source, at=at)
    _store_rounds(rounds, signed, source=source, books=books, at=at)
    entries = [*_arrival_entries(numbered, signed, source, books)]
    entries += _store_rejected(batch.rejected, source=source, at=at)
    entries += _store_conflicts(batch.conflicts, source=source, at=at)
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


def _store_signature(
    rounds: Sequence[tuple[int, NewRound]],
    signature: Signature | None,
    *,
    source: str,
    at: datetime,
) -> SignedBatch | None:
    if signature is None or not any(new.is_signed for _, new in rounds):
        return None
    return store_signature(signature, source=source, at=at)


def _store_rounds(
    rounds: Sequence[tuple[int, NewRound]],
    signed: SignedBatch | None,
    *,
    source: str,
    books: OpenBooks,
    at: datetime,
) -> None:
    if not rounds:
        return
    customers = customer_ids({bet.player for _, new in rounds for bet in new.dealt.bets})
    copy_rows(
        Round,
        _ROUND_COLUMNS,
        (
            (
                *_round_row(arrival, new),
                source,
                at,
                _booked_on(new, books),
                new.anomalies,
                signed.pk if signed is not None and new.is_signed else None,
            )
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
        *round_columns(dealt),
        new.id,
        arrival,
        new.table.id,
        new.table.limit_set_id,
        new.rules_digest,
        None if shoe is None else shoe.position,
        None if shoe is None else shoe.seen,
        len(dealt.bets),
        sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets),
        new.digest,
    )


def _arrival_entries(
    numbered: Sequence[tuple[int, NewRound | NewOpening]],
    signed: SignedBatch | None,
    source: str,
    books: OpenBooks,
) -> Iterator[Entry]:
    for arrival, new in numbered:
        details: dict[str, Any] = {
            "source": source,
            "line": new.document.line,
            "digest": new.digest.hex(),
        }
        if isinstance(new, NewRound):
            details |= {"rules": new.dealt.rules, "rules_digest": new.rules_digest.hex()}
            details["known"] = _known(arrival, new).hex()
            booked_on = _booked_on(new, books)
            if booked_on != gaming_day(new.dealt.opened_at):
                details["booked_on"] = booked_on.isoformat()
            if new.anomalies:
                details["anomalies"] = new.anomalies
            if signed is not None and new.is_signed:
                details["signed"] = {"batch": signed.pk, "key": signed.key.key_id}
            yield Entry("ROUND_RECEIVED", f"round:{new.dealt.round}", details)
        else:
            yield Entry("SHOE_OPENED", f"shoe:{new.opening.shoe}", details)


def _known(arrival: int, new: NewRound) -> bytes:
    position, seen = (None, None) if new.shoe_before is None else new.shoe_before
    limit_set_id = new.table.limit_set_id
    return digest_of_arrival(
        arrival=arrival, limit_set_id=limit_set_id, position=position, seen=seen
    )


def _store_rejected(
    rejected: Sequence[RejectedDocument], *, source: str, at: datetime
) -> Iterator[Entry]:
    """Quarantines invalid documents, each once per feed and line."""
    for document, error in rejected:
        _, created = QuarantinedDocument.objects.get_or_create(
            source=source,
            line=document.line,
            digest=hashlib.sha256(document.content).digest(),
            defaults={
                "content": document.content,
                "received_at": at,
                "round_reference": error.round,
                "field": error.field,
                "found": error.found,
                "needed": error.needed,
            },
        )
        if created:
            details = {"line": document.line, "reason": str(error)}
            yield Entry("DOCUMENT_QUARANTINED", f"feed:{source}", details)


def _store_conflicts(
    conflicts: Sequence[Conflict], *, source: str, at: datetime
) -> Iterator[Entry]:
    """Stores documents that conflict with a stored round, each content once."""
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
