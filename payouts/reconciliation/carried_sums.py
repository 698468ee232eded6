"""What a month adds to balances and days: carried forward when its rounds leave the database.

The same sums follow from the tables of the month and from the files of its archive.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.trail.encoding import json_of
from compliance.trail.key_ranges import KeyRange
from payouts.carried_forward.models import CarriedBalance, CarriedDay
from payouts.ledger.models.account import cash_account_sql
from payouts.reconciliation.bookings import BookingRows, bookings_by_day, held_by_day
from payouts.reconciliation.checks.days import daily_sums
from payouts.reconciliation.checks.snapshot import Fetch, fetch_rows

_BALANCES: Final = """
    SELECT account_id, sum(cents)::bigint
      FROM (SELECT credit_id AS account_id, amount_cents AS cents
              FROM payouts_transfer WHERE {origin}
             UNION ALL
            SELECT debit_id, -amount_cents FROM payouts_transfer WHERE {origin}
             UNION ALL
            SELECT DISTINCT {cash_account}, 0
              FROM rounds_bet WHERE {round_id}) AS moved
     GROUP BY account_id ORDER BY account_id
"""
# In groups of a minute, so that no text is long. A round of the month that arrived since it was
# detached is in the database, with its name.
_HAS_NO_ROUND: Final = "NOT EXISTS (SELECT FROM rounds_round WHERE id = row_id)"
_LEFT: Final = """
    SELECT left(row_id::text, 8), sha256(convert_to(string_agg(
               said, E'\\n' ORDER BY row_id, said COLLATE "C"), 'UTF8'))
      FROM (SELECT round_id AS row_id,
                   concat_ws(E'\\t', round_id, reference, encode(digest, 'hex')) AS said
              FROM rounds_roundname WHERE {round_id}
             UNION ALL
            SELECT round_id, concat_ws(E'\\t', round_id, sequence, said)
              FROM rounds_storedruling WHERE {round_id}) AS rows_left
     WHERE {is_left}
     GROUP BY 1 ORDER BY 1
"""


_AT_ONCE: Final = 5_000


class CarriedSums(NamedTuple):
    """The sums of a month."""

    balances: list[tuple[int, int]]
    """Account and cents, in the order of accounts."""
    days: list[tuple[date, Mapping[str, Any]]]
    """For each booking day rows by kind, in their order."""

    @property
    def sha256(self) -> str:
        """SHA-256 over lines of canonical JSON, one for each account and day."""
        digest = hashlib.sha256()
        for line in self._lines():
            digest.update(f"{line}\n".encode())
        return digest.hexdigest()

    def _lines(self) -> Iterator[str]:
        for account, cents in self.balances:
            yield json_of([account, cents])
        for day, rows in self.days:
            yield json_of([day.isoformat(), rows])


def sums_of_month(keys: KeyRange, fetch: Fetch = fetch_rows) -> CarriedSums:
    """The sums of all rounds, pay-overs and credits of a month whose rounds are settled."""
    balances = _BALANCES.format(
        origin=keys.holds("origin"),
        round_id=keys.holds("round_id"),
        cash_account=cash_account_sql("customer_id"),
    )
    days: defaultdict[date, BookingRows] = defaultdict(dict)
    for day, rows in bookings_by_day(fetch, keys=keys).items():
        days[day] |= rows
    for day, held in held_by_day(fetch, keys).items():
        days[day]["held"] = held
    for kind, (day, *row) in daily_sums(fetch, keys):
        days[day].setdefault(kind, []).append(row)
    return CarriedSums(
        [(account, cents) for account, cents in fetch(balances)],
        [
            (day, {kind: sorted(map(list, rows), key=json_of) for kind, rows in kinds.items()})
            for day, kinds in sorted(days.items())
        ],
    )


def carry_forward(sums: CarriedSums, record_id: UUID) -> None:
    """Stores the sums of a month that the record says to be detached. Needs the tables' owner."""
    CarriedBalance.objects.bulk_create(
        (
            CarriedBalance(record_id=record_id, account_id=account, cents=cents)
            for account, cents in sums.balances
        ),
        batch_size=_AT_ONCE,
    )
    CarriedDay.objects.bulk_create(
        CarriedDay(record_id=record_id, day=day, sums=rows) for day, rows in sums.days
    )


def carried_sums(record_id: UUID) -> CarriedSums:
    """The stored sums."""
    balances = CarriedBalance.objects.filter(record_id=record_id).order_by("account_id")
    days = CarriedDay.objects.filter(record_id=record_id).order_by("day")
    return CarriedSums(
        list(balances.values_list("account_id", "cents")), [(it.day, it.sums) for it in days]
    )


def left_sha256(keys: KeyRange, *, is_detached: bool) -> str:
    """The digest of the rows of a month that stay when it is detached: names and rulings.

    It is the same before, as long as every one of them belongs to a round of the month.
    """
    digest = hashlib.sha256()
    is_left = _HAS_NO_ROUND if is_detached else "true"
    for _group, rows in fetch_rows(_LEFT.format(round_id=keys.holds("round_id"), is_left=is_left)):
        digest.update(rows)
    return digest.hexdigest()
