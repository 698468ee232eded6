"""Rounds: each replayed from its stored cards, and its books against what its rules give.

The facts have to be those that arrived; the verdict the one that was stored; the latest settlement
what the verdict or a decision of two pays; one that it replaced what its digest and the trail say;
and the transfers of each exactly what ``payouts.services.postings`` gives for it. A round that
waits for a worker has no books yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from compliance.trail.stretches import Stretch
from payouts.reconciling.books import Books
from payouts.reconciling.content import check_content
from payouts.reconciling.found import Difference, Found, Kind, RoundName
from payouts.reconciling.on_record import check_on_record
from payouts.reconciling.one_round import OneRound
from payouts.reconciling.reading import read_each, rows_of
from payouts.reconciling.single_postings import check_single_postings
from payouts.reconciling.undone import check_reversals, check_shortfalls
from rounds.judging import rounds_to_judge
from rounds.models import Round

_AT_ONCE: Final = 20_000
"""Bets in memory at one time, unless a single round has more."""

_ROUNDS: Final = "SELECT id, bet_count FROM rounds_round WHERE {id} ORDER BY id"
_NO_ROUNDS: Final = """
    SELECT id FROM payouts_payover WHERE {id} UNION SELECT id FROM payouts_goodwillcredit WHERE {id}
"""
_BETS_OF_NONE: Final = """
    SELECT DISTINCT round_id FROM rounds_bet AS bet
     WHERE {round_id} AND NOT EXISTS (SELECT FROM rounds_round WHERE id = bet.round_id)
"""


def check_rounds(keys: Stretch, found: Found) -> None:
    """Everything about the rounds of a stretch, and that nothing there is of no round."""
    for batch, round_ids in _batches(keys):
        _check_batch(batch, round_ids, found)
    check_single_postings(keys, found)


def _batches(keys: Stretch) -> Iterator[tuple[Stretch, list[UUID]]]:
    """The stretch in batches of rounds that fit into memory; together they cover all of it."""
    first, batch, bets = keys.first, list[UUID](), 0
    for round_id, bet_count in rows_of(_ROUNDS.format(id=keys.holds("id"))):
        if batch and bets + bet_count > _AT_ONCE:
            yield Stretch(first, round_id), batch
            first, batch, bets = round_id, [], 0
        batch.append(round_id)
        bets += bet_count + 1
    yield Stretch(first, keys.end), batch


def _check_batch(keys: Stretch, round_ids: Sequence[UUID], found: Found) -> None:
    books = Books(keys)

    def refuse(round_id: UUID, error: Exception) -> None:
        books.forget(round_id)
        name = RoundName(
            round_id, Round.objects.values_list("reference", flat=True).get(pk=round_id)
        )
        found.add(
            name.differs(Kind.UNREADABLE, {"error": f"{type(error).__name__}: {error}"}, None)
        )

    rounds = read_each(rounds_to_judge, round_ids, refuse)
    found.looked_at["rounds"] += len(rounds)
    found.looked_at["bets"] += sum([len(stored.dealt.bets) for stored in rounds])
    found.looked_at["transfers"] += sum(
        [entry.transfers for entries in books.entries.values() for entry in entries.values()]
    )
    check_content(rounds, found)
    check_on_record(rounds, books, found)
    for stored in rounds:
        OneRound(stored, books, found).check()
    check_reversals(keys, found)
    check_shortfalls(keys, found)
    _check_left(books, found)


def _check_left(books: Books, found: Found) -> None:
    """What is stored there of rounds, pay-overs and credits that are not."""
    for origin in _ids(_NO_ROUNDS.format(id=books.keys.holds("id"))):
        books.entries.pop(origin, None)
    rows: Mapping[str, Mapping[UUID, object]] = {
        "transfers": books.entries,
        "settlements": books.settlements,
        "results": books.results,
        "verdicts": books.verdicts,
        "rulings": books.rulings,
        "bets": dict.fromkeys(_ids(_BETS_OF_NONE.format(round_id=books.keys.holds("round_id")))),
    }
    for origin in sorted(set().union(*rows.values(), books.waiting)):
        there = [name for name, of_rounds in rows.items() if origin in of_rounds]
        found.add(Difference(Kind.UNKNOWN, {"id": str(origin)}, {"rows": there}, None))


def _ids(query: str) -> Iterator[UUID]:
    return (found for (found,) in rows_of(query))
