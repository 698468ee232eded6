"""The end of quiet hours, by the clock of Rome."""

from datetime import UTC, datetime, time

import pytest

from compliance.notifications.quiet_hours import end_of_quiet

EVENING, MORNING, NOON = time(22), time(7), time(12)


def utc(day: int, hour: int, minute: int = 0, *, month: int = 11) -> datetime:
    """A time in 2026, UTC. Rome is one hour ahead in November."""
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "begins_at", "ends_at", "expected"),
    [
        pytest.param(utc(21, 22), EVENING, MORNING, utc(22, 6), id="before midnight"),
        pytest.param(utc(22, 2), EVENING, MORNING, utc(22, 6), id="after midnight"),
        pytest.param(utc(21, 21), EVENING, MORNING, utc(22, 6), id="first minute"),
        pytest.param(utc(21, 20, 59), EVENING, MORNING, utc(21, 20, 59), id="minute before"),
        pytest.param(utc(22, 6), EVENING, MORNING, utc(22, 6), id="end"),
        pytest.param(utc(22, 8), MORNING, NOON, utc(22, 11), id="within a day"),
        pytest.param(utc(22, 12), MORNING, NOON, utc(22, 12), id="after a day's"),
        pytest.param(utc(22, 3), NOON, NOON, utc(22, 3), id="none"),
        # Clocks go back at 3:00 CEST of 25 October: the night has an hour more.
        pytest.param(utc(24, 21, month=10), EVENING, MORNING, utc(25, 6, month=10), id="clocks"),
    ],
)
def test_a_message_waits_until_they_end(
    at: datetime, begins_at: time, ends_at: time, expected: datetime
) -> None:
    """Expected times are counted by hand: 7:00 in Rome is 6:00 UTC in winter."""
    assert end_of_quiet(at, begins_at=begins_at, ends_at=ends_at) == expected
