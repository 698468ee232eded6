"""Rounds: each replayed from its stored cards and compared with its books.

Facts must match the document's digest; the stored verdict the replay; the latest settlement the
verdict or the decision of two persons; a replaced settlement its digest and audit record; all
transfers ``payouts.settlement.postings``. A waiting round has no books.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from compliance.storage.partitions import month_of_key
from compliance.trail.key_ranges import KeyRange
from payouts.carried_forward.detached_months import detached_months
from payouts.reconciliation.checks.audit_records import check_audit_records
from payouts.reconciliation.checks.books import Books
from payouts.reconciliation.checks.content import check_content
from payouts.reconciliation.checks.decisions import check_decided_settlements
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind, RoundName
from payouts.reconciliation.checks.reversals import check_reversals, check_shortfalls
from payouts.reconciliation.checks.round_check import RoundCheck
from payouts.reconciliation.checks.single_postings import check_single_postings
from payouts.reconciliation.checks.snapshot import fetch_rows, read_each
from rounds.models import Round
from rounds.rule_inputs import rounds_to_judge

_AT_ONCE: Final = 20_000
"""The most bets in memory, unless a single round has more."""

_ROUNDS: Final = "SELECT id, bet_count FROM rounds_round WHERE {id} ORDER BY id"
_NO_ROUNDS: Final = """
    SELECT id FROM payouts_payover WHERE {id} UNION SELECT id FROM payouts_goodwillcredit WHERE {id}
"""
_BETS_OF_NONE: Final = """
    SELECT DISTINCT round_id FROM rounds_bet AS bet
     WHERE {round_id} AND NOT EXISTS (SELECT 1 FROM rounds_round WHERE id = bet.round_id)
"""


def check_rounds(keys: KeyRange, result: CheckResult) -> None:
    """Checks the rounds of a range, and that no row belongs to no round."""
    for batch, round_ids in _batches(keys):
        _check_batch(batch, round_ids, result)
    check_single_postings(keys, result)


def _batches(keys: KeyRange) -> Iterator[tuple[KeyRange, list[UUID]]]:
    """Splits the range into adjacent batches that fit into memory."""
    first, batch, bets = keys.first, list[UUID](), 0
    for round_id, bet_count in fetch_rows(_ROUNDS.format(id=keys.holds("id"))):
        if batch and bets + bet_count > _AT_ONCE:
            yield KeyRange(first, round_id), batch
            first, batch, bets = round_id, [], 0
        batch.append(round_id)
        bets += bet_count + 1
    yield KeyRange(first, keys.end), batch


def _check_batch(keys: KeyRange, round_ids: Sequence[UUID], result: CheckResult) -> None:
    books = Books(keys)

    def refuse(round_id: UUID, error: Exception) -> None:
        books.forget(round_id)
        name = RoundName(
            round_id, Round.objects.values_list("reference", flat=True).get(pk=round_id)
        )
        result.add(
            name.differs(Kind.UNREADABLE, {"error": f"{type(error).__name__}: {error}"}, None)
        )

    rounds = read_each(rounds_to_judge, round_ids, refuse)
    result.looked_at["rounds"] += len(rounds)
    result.looked_at["bets"] += sum([len(stored.dealt.bets) for stored in rounds])
    result.looked_at["transfers"] += sum(
        [entry.transfers for entries in books.entries.values() for entry in entries.values()]
    )
    check_content(rounds, result)
    check_audit_records(rounds, books, result)
    check_decided_settlements(rounds, books, result)
    for stored in rounds:
        RoundCheck(stored, books, result).check()
    check_reversals(keys, result)
    check_shortfalls(keys, result)
    _forget_detached_rulings(books)
    check_unknown_rounds(books, result)


def _forget_detached_rulings(books: Books) -> None:
    """Their rounds are in the archive; ``check_detached_month`` compares the rulings."""
    months = {month.month for month in detached_months()} if books.rulings else ()
    for round_id in [it for it in books.rulings if month_of_key(it) in months]:
        del books.rulings[round_id]


def check_unknown_rounds(books: Books, result: CheckResult) -> None:
    """Checks that no rows are left: those of unknown rounds, pay-overs and credits."""
    for (origin,) in books.fetch(_NO_ROUNDS.format(id=books.keys.holds("id"))):
        books.entries.pop(origin, None)
    bets_of_none = _BETS_OF_NONE.format(round_id=books.keys.holds("round_id"))
    rows: Mapping[str, Mapping[UUID, object]] = {
        "transfers": books.entries,
        "settlements": books.settlements,
        "results": books.results,
        "verdicts": books.verdicts,
        "rulings": books.rulings,
        "bets": dict.fromkeys([round_id for (round_id,) in books.fetch(bets_of_none)]),
    }
    for origin in sorted(set().union(*rows.values(), books.waiting)):
        tables = [name for name, of_rounds in rows.items() if origin in of_rounds]
        result.add(Difference(Kind.UNKNOWN, {"id": str(origin)}, {"rows": tables}, None))
