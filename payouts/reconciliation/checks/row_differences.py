"""The differing rows of a settlement or entry whose digest differs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final
from uuid import UUID

from compliance.storage.copy_text import NULL
from compliance.trail.key_ranges import KeyRange
from payouts.reconciliation.checks.books import DECIDING
from payouts.reconciliation.checks.differences import MOST_KEPT
from payouts.reconciliation.checks.snapshot import Fetch
from payouts.settlement.decision import Decision
from rounds.rules.verdict import Grade

RowDifference = tuple[int | None, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""A bet's number with the row found and the row expected, None for no row."""

_RESULTS: Final = """
    SELECT bet_number, outcome, payout_cents, chips_cents, reasons FROM payouts_betsettlement
     WHERE round_id = %(round)s AND sequence = %(sequence)s ORDER BY bet_number
"""
_TRANSFERS: Final = """
    SELECT purpose, debit, credit, amount_cents, bet_number
      FROM ({deciding}) AS moved WHERE entry = %(entry)s AND decides ORDER BY line
"""
_TRANSFER: Final = ("purpose", "debit", "credit", "cents")


def paid_grades(fetch: Fetch, round_id: UUID, sequence: int) -> dict[int, Grade]:
    """The stored results of a settlement, by number of the bet."""
    rows = fetch(_RESULTS, {"round": round_id, "sequence": sequence})
    return {number: Grade._make((*paid, tuple(reasons))) for number, *paid, reasons in rows}


def different_results(fetch: Fetch, decision: Decision) -> Iterator[RowDifference]:
    """The bet results that differ from the decision."""
    paid = paid_grades(fetch, decision.stored.id, decision.sequence)
    stored = {number: _as_json(grade) for number, grade in paid.items()}
    expected = {number: _as_json(grade) for number, grade in enumerate(decision.verdict.grades)}
    yield from _differing(stored, expected)


def different_transfers(
    fetch: Fetch, round_id: UUID, entry: int, lines: str
) -> Iterator[RowDifference]:
    """The transfers that differ from these lines. Shared accounts appear as their first stripe."""
    only = KeyRange(round_id, UUID(int=round_id.int + 1))
    query = _TRANSFERS.format(deciding=DECIDING.format(origin=only.holds("origin")))
    stored = _by_purpose(fetch(query, {"entry": entry}))
    expected = _by_purpose(map(_read, lines.splitlines()))
    for (bet, *_), found, needed in _differing(stored, expected):
        yield bet, found, needed


def _as_json(grade: Grade) -> Mapping[str, Any]:
    return {**grade._asdict(), "reasons": list(grade.reasons)}


def _read(line: str) -> tuple[Any, ...]:
    purpose, debit, credit, cents, bet = line.split("\t")[4:9]
    return purpose, int(debit), int(credit), int(cents), None if bet == NULL else int(bet)


def _by_purpose(rows: Iterable[tuple[Any, ...]]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """Transfers by bet, purpose, debit account and ordinal."""
    transfers: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    times: Counter[tuple[Any, ...]] = Counter()
    for purpose, debit, credit, cents, bet in rows:
        key = bet, purpose, debit
        times[key] += 1
        values = (purpose, debit, credit, cents)
        transfers[*key, times[key]] = dict(zip(_TRANSFER, values, strict=True))
    return transfers


def _differing(stored: Mapping[Any, Any], expected: Mapping[Any, Any]) -> Iterator[tuple[Any, ...]]:
    keys = [*expected, *(key for key in stored if key not in expected)]
    rows = ((key, stored.get(key), expected.get(key)) for key in keys)
    return islice((row for row in rows if row[1] != row[2]), MOST_KEPT + 1)
