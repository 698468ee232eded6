"""Simulated ids of studios and of the regulator: unique by construction, opaque to readers."""

from datetime import UTC, datetime
from typing import Final

from rounds.simulation.customers import MOST_CUSTOMERS

DAY_MS: Final = 86_400_000
_NUMBERS: Final = 10**15
_STEP: Final = 618_033_988_749_893
"""Coprime to ten, so that every serial below 10^15 has a unique number."""
_TABLES: Final = 1_000


def session_id(*, table: int, opened_at: int) -> str:
    """The AAMS session of a table (a number below 1,000) and a gaming day (here a day of UTC)."""
    return f"M{_scattered(_session_serial(table, opened_at)):015d}"


def participation_id(*, table: int, opened_at: int, customer: int) -> str:
    """The AAMS participation right of a customer (a number below 1,000,000) in a session."""
    serial = _session_serial(table, opened_at) * MOST_CUSTOMERS + customer
    return f"N{_scattered(serial):015d}"


def round_reference(*, table: str, opened_at: int) -> str:
    """The studio's id of a round: its table and the second of its opening."""
    return f"{table}-{_moment(opened_at):%Y%m%d-%H%M%S}"


def shoe_reference(*, table: str, opened_at: int, number: int) -> str:
    """The studio's id of a shoe: its table, the day, and its number on the day."""
    return f"{table}-{_moment(opened_at):%Y%m%d}-s{number:03d}"


def _session_serial(table: int, opened_at: int) -> int:
    return opened_at // DAY_MS * _TABLES + table


def _scattered(serial: int) -> int:
    return serial * _STEP % _NUMBERS


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, tz=UTC)
