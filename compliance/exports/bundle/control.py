"""Control totals: what the database says that a register holds, whatever file it is written to."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple


class Control(NamedTuple):
    """Rows, the sum of every column of money in cents, first and last time."""

    rows: int
    totals: Mapping[str, int]
    first_at: datetime | None
    last_at: datetime | None
    clock: str | None
    """The column that they are of."""

    def told(self) -> dict[str, Any]:
        """As the manifest says it."""
        return {
            "rows": self.rows,
            "totals_cents": dict(self.totals),
            "first_at": told_moment(self.first_at),
            "last_at": told_moment(self.last_at),
            "clock": self.clock,
        }


def told_moment(at: datetime | None) -> str | None:
    """A time as the manifest says it, in UTC."""
    return None if at is None else at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
