"""The single rows of a settlement or of an entry whose digest is not the one that was expected."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final
from uuid import UUID

from compliance.trail.copying import NULL
from compliance.trail.stretches import Stretch
from payouts.reconciling.books import DECIDING
from payouts.reconciling.found import MOST_KEPT
from payouts.reconciling.reading import rows_of
from payouts.services.settlement import Decision
from rounds.rules.verdict import Grade

Unlike = tuple[int | None, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""By the number of a bet what was found and what was expected, None where there is no such row."""

_RESULTS: Final = """
    SELECT bet_number, outcome, payout_cents, chips_cents, reasons FROM payouts_betsettlement
     WHERE round_id = %(round)s AND sequence = %(sequence)s ORDER BY bet_number
"""
_RESULT: Final = ("outcome", "payout_cents", "chips_cents", "reasons")
_TRANSFERS: Final = """
    SELECT purpose, debit, credit, amount_cents, bet_number
      FROM ({deciding}) AS moved WHERE entry = %(entry)s AND decides ORDER BY line
"""
_TRANSFER: Final = ("purpose", "debit", "credit", "cents")


def paid_grades(round_id: UUID, sequence: int) -> tuple[Grade, ...]:
    """What the bets of a settlement were paid, as it is stored."""
    rows = rows_of(_RESULTS, {"round": round_id, "sequence": sequence})
    return tuple([Grade._make((*paid, tuple(reasons))) for _number, *paid, reasons in rows])


def unlike_results(round_id: UUID, decision: Decision) -> Iterator[Unlike]:
    """What bets were paid otherwise than the decision says, by the bets' numbers."""
    asked = {"round": round_id, "sequence": decision.sequence}
    stored = {row[0]: dict(zip(_RESULT, row[1:], strict=True)) for row in rows_of(_RESULTS, asked)}
    expected = {
        number: {**dict(zip(_RESULT, grade, strict=True)), "reasons": list(grade.reasons)}
        for number, grade in enumerate(decision.verdict.grades)
    }
    yield from _unlike(stored, expected)


def unlike_transfers(round_id: UUID, entry: int, lines: str) -> Iterator[Unlike]:
    """Which transfers are not those of the lines, by the bets that they are about.

    Of the accounts that rounds share, all stripes are told as the first.
    """
    only = Stretch(round_id, UUID(int=round_id.int + 1))
    query = _TRANSFERS.format(deciding=DECIDING.format(origin=only.holds("origin")))
    stored = _by_what_for(rows_of(query, {"entry": entry}))
    expected = _by_what_for(map(_read, lines.splitlines()))
    for (bet, *_), found, needed in _unlike(stored, expected):
        yield bet, found, needed


def _read(line: str) -> tuple[Any, ...]:
    purpose, debit, credit, cents, bet = line.split("\t")[4:9]
    return purpose, int(debit), int(credit), int(cents), None if bet == NULL else int(bet)


def _by_what_for(rows: Iterable[tuple[Any, ...]]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """Transfers by bet, purpose and the account that pays, and by which of several they are."""
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    times: Counter[tuple[Any, ...]] = Counter()
    for purpose, debit, credit, cents, bet in rows:
        what_for = bet, purpose, debit
        times[what_for] += 1
        moved = (purpose, debit, credit, cents)
        found[*what_for, times[what_for]] = dict(zip(_TRANSFER, moved, strict=True))
    return found


def _unlike(stored: Mapping[Any, Any], expected: Mapping[Any, Any]) -> Iterator[tuple[Any, ...]]:
    keys = [*expected, *(key for key in stored if key not in expected)]
    unlike = ((key, stored.get(key), expected.get(key)) for key in keys)
    return islice((one for one in unlike if one[1] != one[2]), MOST_KEPT + 1)
