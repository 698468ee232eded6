"""Windows of days of play."""

from datetime import date, timedelta
from typing import Final, NamedTuple

LENGTHS: Final = (7, 30, 90)
"""Lengths of the rolling windows, in days."""


class Window(NamedTuple):
    """Days of play in Rome, both ends included; None for an open end."""

    first: date | None
    last: date | None

    def has(self, day: date) -> bool:
        """Whether the day lies in the window."""
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)

    def condition(self, column: str) -> str:
        """SQL condition on a column of days; takes ``parameters``."""
        return (
            f"({column} >= %(first)s OR %(first)s::date IS NULL)"
            f" AND ({column} <= %(last)s OR %(last)s::date IS NULL)"
        )

    @property
    def parameters(self) -> dict[str, date | None]:
        """The query parameters of ``condition``."""
        return {"first": self.first, "last": self.last}


SINCE_START: Final = Window(None, None)


def last_days(days: int, *, until: date) -> Window:
    """The window of ``days`` days that ends with ``until``."""
    return Window(until - timedelta(days=days - 1), until)
