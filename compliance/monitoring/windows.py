"""Windows of days of play over which figures are told."""

from datetime import date, timedelta
from typing import Final, NamedTuple

LENGTHS: Final = (7, 30, 90)
"""Days of the windows that roll; beside them stands all time since the start."""


class Window(NamedTuple):
    """Days of play in Rome, both included; None where it is open."""

    first: date | None
    last: date | None

    def has(self, day: date) -> bool:
        """Whether the day lies in it."""
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)

    def holds(self, column: str) -> str:
        """SQL: whether a column of days lies in it; arguments are ``asked``."""
        return (
            f"({column} >= %(first)s OR %(first)s::date IS NULL)"
            f" AND ({column} <= %(last)s OR %(last)s::date IS NULL)"
        )

    @property
    def asked(self) -> dict[str, date | None]:
        """The arguments of ``holds``."""
        return {"first": self.first, "last": self.last}


SINCE_START: Final = Window(None, None)


def last_days(days: int, *, until: date) -> Window:
    """The window of so many days that ends with this one."""
    return Window(until - timedelta(days=days - 1), until)
