"""Cross-references between day of play and booking day, where they differ."""

from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from payouts.reconciliation.checks.days import Days
from payouts.reconciliation.checks.snapshot import fetch_rows
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

MOST: Final = 100
"""The most bookings listed for a day."""

_BOOKINGS: Final = """
    SELECT late.round_id, round.reference, round.opened_at, late.booked_on, late.sequence,
           late.kind, late.cents, late.actor, late.approved_by, late.reason
      FROM (SELECT settled.round_id, settled.booked_on, settled.sequence, settled.kind,
                   settled.payout_cents - coalesce(before.payout_cents, 0) AS cents, settled.actor,
                   settled.approved_by, settled.reason
              FROM payouts_settlement AS settled
              LEFT JOIN payouts_settlement AS before
                ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
             WHERE {settlement}
             UNION ALL
            SELECT id, booked_on, 0, 'late', staked_cents, source, NULL, ''
              FROM rounds_round WHERE {round}) AS late
      JOIN rounds_round AS round ON round.id = late.round_id
     ORDER BY late.round_id, late.sequence LIMIT {most}
"""


class Booking(NamedTuple):
    """A settlement or late round that is booked on another day than the day of play."""

    round_id: UUID
    reference: str
    played_on: date
    booked_on: date
    sequence: int
    """The settlement; 0 for a late round."""
    kind: str
    cents: int
    """The change of the payout by the settlement; the stakes of a late round."""
    actor: str
    approved_by: str | None
    reason: str

    @property
    def is_arrival(self) -> bool:
        """Whether it is a late round."""
        return not self.sequence


def booked_from_other_days(day: date) -> list[Booking]:
    """Bookings of this day that were played on other days, in the order of play."""
    keys = Days(day, day).keys
    return _bookings(
        settlement=f"settled.booked_on = '{day}' AND NOT ({keys.holds('settled.round_id')})",
        of_round=f"booked_on = '{day}' AND NOT ({keys.holds('id')})",
    )


def booked_on_other_days(day: date) -> list[Booking]:
    """Bookings on other days that were played on this day, in the order of play."""
    keys = Days(day, day).keys
    return _bookings(
        settlement=f"settled.booked_on <> '{day}' AND {keys.holds('settled.round_id')}",
        of_round=f"booked_on <> '{day}' AND {keys.holds('id')}",
    )


def _bookings(*, settlement: str, of_round: str) -> list[Booking]:
    rows = fetch_rows(_BOOKINGS.format(settlement=settlement, round=of_round, most=MOST))
    bookings = [
        Booking(round_id, reference, gaming_day(milliseconds_of(opened_at)), *rest)
        for round_id, reference, opened_at, *rest in rows
    ]
    # Ids before 1970 do not encode the day.
    return [booking for booking in bookings if booking.played_on != booking.booked_on]
