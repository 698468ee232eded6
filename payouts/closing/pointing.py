"""What is booked on another day than it was played: it points from the one to the other."""

from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from payouts.reconciling.days import Days
from payouts.reconciling.reading import rows_of
from rounds.gaming_day import gaming_day
from rounds.storage import milliseconds_of

MOST: Final = 100
"""So many of each day are listed; the round's page tells the rest."""

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
    """A settlement, or the arrival of a round, that is booked on another day than that of play."""

    round_id: UUID
    reference: str
    played_on: date
    booked_on: date
    sequence: int
    """Of the settlement; 0 where a round arrived late."""
    kind: str
    cents: int
    """What the settlement paid beyond the one before it; of a late round its stakes."""
    actor: str
    approved_by: str | None
    reason: str

    @property
    def is_arrival(self) -> bool:
        """Whether it is a round that came late."""
        return not self.sequence


def booked_from_other_days(day: date) -> list[Booking]:
    """What is booked on this day and was played on others, in the order of play."""
    keys = Days(day, day).keys
    return _bookings(
        settlement=f"settled.booked_on = '{day}' AND NOT ({keys.holds('settled.round_id')})",
        of_round=f"booked_on = '{day}' AND NOT ({keys.holds('id')})",
    )


def booked_on_other_days(day: date) -> list[Booking]:
    """What was played on this day and is booked on others, in the order of play."""
    keys = Days(day, day).keys
    return _bookings(
        settlement=f"settled.booked_on <> '{day}' AND {keys.holds('settled.round_id')}",
        of_round=f"booked_on <> '{day}' AND {keys.holds('id')}",
    )


def _bookings(*, settlement: str, of_round: str) -> list[Booking]:
    rows = rows_of(_BOOKINGS.format(settlement=settlement, round=of_round, most=MOST))
    bookings = [
        Booking(round_id, reference, gaming_day(milliseconds_of(opened_at)), *rest)
        for round_id, reference, opened_at, *rest in rows
    ]
    return [one for one in bookings if one.played_on != one.booked_on]  # ids tell none before 1970
