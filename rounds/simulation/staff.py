"""Who deals at a simulated live table: dealers change every half hour, shifts every eight."""

from typing import Final, NamedTuple

_HALF_HOUR_MS: Final = 1_800_000
_HALF_HOURS_OF_A_SHIFT: Final = 16
_DEALERS: Final = 40
_STEP: Final = 7  # prime to the number of dealers: none is at two tables at once
_SHIFTS: Final = ("night", "morning", "evening")
_LOCATIONS: Final = ("Bucharest", "Riga")


class Staff(NamedTuple):
    """The fields ``dealer``, ``shift`` and ``location`` of a round."""

    dealer: str
    shift: str
    location: str


def staff_at(*, table: int, opened_at: int) -> Staff:
    """Who deals at the table with this number, at this time in milliseconds since 1970."""
    half_hours = opened_at // _HALF_HOUR_MS
    dealer = (table * _STEP + half_hours) % _DEALERS + 1
    shift = half_hours // _HALF_HOURS_OF_A_SHIFT % len(_SHIFTS)
    return Staff(f"d-{dealer:02}", _SHIFTS[shift], _LOCATIONS[table % len(_LOCATIONS)])
