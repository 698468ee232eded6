"""Why a day cannot be closed."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from payouts.gaming_days.amount import Amount
from payouts.reconciliation.checks.differences import Difference
from payouts.reconciliation.models import ReconcileRun
from rounds.rules.money import format_cents


class DayNotCloseable(Exception):
    """The day cannot be closed. Nothing was written."""


class DayNotOver(DayNotCloseable):
    """The day is not over in Rome."""

    def __init__(self, day: date) -> None:
        super().__init__(f"found {day}, which is not over in Rome; needed a day that is")


class DayOutOfOrder(DayNotCloseable):
    """An earlier day is open, or the day is closed already."""

    def __init__(self, day: date, *, needed: date | None) -> None:
        needed_day = f"{needed}, the first that is open" if needed else "a casino that has a round"
        super().__init__(f"found {day}; needed {needed_day}")
        self.needed = needed


class DayStillBooked(DayNotCloseable):
    """Rounds, settlements or pay-overs of the day arrived whenever it was read."""

    def __init__(self, day: date, readings: int) -> None:
        super().__init__(
            f"found new bookings of {day} after each of {readings} readings; needed none after one"
        )


class UnsignedClosing(DayNotCloseable):
    """Rows say that a day is closed, but nobody signed it."""

    def __init__(self, day: date, actor: str, error: str) -> None:
        super().__init__(f"closing of {day} by {actor}: {error}")
        self.day = day


class RoundsAwaitSettlement(DayNotCloseable):
    """Rounds of the day await settlement."""

    def __init__(self, rounds: Sequence[tuple[UUID, str]], *, count: int) -> None:
        names = ", ".join(reference for _id, reference in rounds)
        super().__init__(f"found {count} rounds that wait ({names}); needed none")
        self.rounds = rounds
        self.count = count


class NotReconciled(DayNotCloseable):
    """There is no reconciliation of the day begun after its end."""

    def __init__(self, day: date, *, since: int = 0) -> None:
        found = f"{since} rounds and settlements since the last one" if since else "none"
        super().__init__(f"found {found}; needed a reconciliation begun after the end of {day}")
        self.since = since


class HeldNotAcknowledged(DayNotCloseable):
    """The person did not acknowledge the present held rounds."""

    def __init__(self, acknowledged: Amount | None, held: Amount) -> None:
        found = "no acknowledgement" if acknowledged is None else _held_text(acknowledged)
        needed = f"an acknowledgement of {_held_text(held)}"
        super().__init__(f"found {found}; needed {needed}")
        self.acknowledged = acknowledged
        self.held = held


class EmptyDaysChanged(DayNotCloseable):
    """The days without bookings are no longer those that the person was shown."""

    def __init__(self, first: date, last: date, *, found: Sequence[date]) -> None:
        now = f"{found[0]} to {found[-1]}" if found else "none that can be closed"
        super().__init__(f"found {now}; needed {first} to {last}, all without bookings")


class BooksDiffer(DayNotCloseable):
    """The reconciliation or the day's bookings have differences."""

    def __init__(
        self, differences: Sequence[Difference], *, count: int, run: ReconcileRun | None = None
    ) -> None:
        rounds = sorted({row.about["round"] for row in differences if "round" in row.about})
        kinds = ", ".join(sorted({str(row.kind.value) for row in differences}))
        named = f", rounds {', '.join(rounds)}" if rounds else ""
        super().__init__(f"found {count} differences ({kinds}{named}); needed none")
        self.differences = differences
        self.count = count
        self.run = run
        self.rounds = rounds


def _held_text(held: Amount) -> str:
    return f"{held.number} held rounds with {format_cents(held.cents)}"
