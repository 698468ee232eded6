"""Control totals: what the database says that a register holds, whatever file it is written to."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from compliance.exports.day import Snapshot
from compliance.exports.registers.register import Register


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


def control_of(snapshot: Snapshot, register: Register) -> Control:
    """Asked of the facts once more, so that a file that lost a row does not fit."""
    clock = "NULL::timestamptz" if register.clock is None else f'line."{register.clock}"'
    sums = "".join(f', coalesce(sum(line."{one.name}"), 0)' for one in register.money)
    query = f"SELECT min({clock}), max({clock}), count(*){sums} FROM ({register.query}) AS line"  # noqa: S608  our own text
    [(first_at, last_at, rows, *cents)] = snapshot.rows(query)
    totals = {one.name: int(sum_) for one, sum_ in zip(register.money, cents, strict=True)}
    return Control(rows, totals, first_at, last_at, register.clock)


def told_moment(at: datetime | None) -> str | None:
    """A time as the manifest says it, in UTC."""
    return None if at is None else at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
