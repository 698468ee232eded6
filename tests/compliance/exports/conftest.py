"""Fixtures for tests of exports."""

from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from payouts.gaming_days.models import DayClosing
from tests.casino_in_play import open_table
from tests.compliance.exports.day_closings import HOUR, log
from tests.compliance.exports.exported_days import key_in, play_the_day
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, close, dealt, settle_at


@pytest.fixture
def day(fresh_casino: str) -> None:
    """A casino in which the day was played, in a database that commits."""
    play_the_day()


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    """A signing key with its certificate."""
    return key_in(tmp_path)


@pytest.fixture
def closed(fresh_casino: str) -> DayClosing:
    """The closed day: r-1 was settled, r-2 is held."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    return close()


@pytest.fixture
def proved(closed: DayClosing) -> DayClosing:
    """The closed day with its closing in the log."""
    log()
    return closed
