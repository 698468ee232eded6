"""A log that has lost its tail."""

import pytest

from compliance.trail.log.log_losses import LogLoss
from compliance.trail.log.signed_heads import WitnessedHead
from tests.compliance.trail.lost_logs import (
    find_loss,
    lose,
    signing_persons,
)


@pytest.fixture
def witnessed(db: None) -> WitnessedHead:
    """The head that the database has lost; two persons may declare it."""
    signing_persons()
    return lose(300, 2, after=[260])


@pytest.fixture
def loss(witnessed: WitnessedHead) -> LogLoss:
    """The loss as the worker found it."""
    return find_loss(witnessed)
