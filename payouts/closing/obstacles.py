"""Why a day cannot be closed: each an error that says what was found and what is needed."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from payouts.models import ReconcileRun
from payouts.reconciling.found import Difference


class DayNotClosed(Exception):
    """A day that stays open; nothing was written."""


class DayNotOver(DayNotClosed):
    """The day is not over in Rome."""

    def __init__(self, day: date) -> None:
        super().__init__(f"found {day}, which is not over in Rome; needed a day that is")


class DayOutOfOrder(DayNotClosed):
    """Another day comes first, or the day is closed already."""

    def __init__(self, day: date, *, needed: date | None) -> None:
        told = f"{needed}, the first that is open" if needed else "a casino that has a round"
        super().__init__(f"found {day}; needed {told}")
        self.needed = needed


class RoundsWait(DayNotClosed):
    """Rounds of the day wait for a worker, or for their table: nobody knows what they come to."""

    def __init__(self, rounds: Sequence[tuple[UUID, str]], *, count: int) -> None:
        names = ", ".join(reference for _id, reference in rounds)
        super().__init__(f"found {count} rounds that wait ({names}); needed none")
        self.rounds = rounds
        self.count = count


class NotReconciled(DayNotClosed):
    """Nothing that was booked on the day has been reconciled since it was over."""

    def __init__(self, day: date, *, since: int = 0) -> None:
        found = f"{since} rounds and settlements since the last one" if since else "none"
        super().__init__(f"found {found}; needed a reconciliation begun after the end of {day}")
        self.since = since


class BooksDiffer(DayNotClosed):
    """A reconciliation, or the day's own books, have differences."""

    def __init__(
        self, differences: Sequence[Difference], *, count: int, run: ReconcileRun | None = None
    ) -> None:
        rounds = sorted({one.about["round"] for one in differences if "round" in one.about})
        named = f" (rounds {', '.join(rounds)})" if rounds else ""
        super().__init__(f"found {count} differences{named}; needed none")
        self.differences = differences
        self.count = count
        self.run = run
        self.rounds = rounds
