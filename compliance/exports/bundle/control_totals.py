"""Control totals of a register, computed by the database."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple


class Control(NamedTuple):
    """Row count, sum of every money column in cents, first and last time."""

    rows: int
    totals: Mapping[str, int]
    first_at: datetime | None
    last_at: datetime | None
    clock: str | None
    """The column of the first and last time."""

    def to_json(self) -> dict[str, Any]:
        """Its representation in the manifest."""
        return {
            "rows": self.rows,
            "totals_cents": dict(self.totals),
            "first_at": utc_text(self.first_at),
            "last_at": utc_text(self.last_at),
            "clock": self.clock,
        }


def utc_text(at: datetime | None) -> str | None:
    """A time as in the manifest, in UTC."""
    return None if at is None else at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
