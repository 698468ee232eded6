"""Fixtures for tests of witnesses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compliance.trail.witnesses.followed_log import Witness
from tests.compliance.trail.witnesses.running_witness import (
    RunningWitness,
    obey,
    running_witnesses,
)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[RunningWitness]]:
    """Two witnesses, which both have to cosign."""
    with running_witnesses(tmp_path / "witnesses", "one", "two") as witnesses:
        obey(witnesses)
        yield witnesses


@pytest.fixture
def follower(tmp_path: Path) -> Iterator[Witness]:
    """A witness that has seen nothing yet."""
    its = Witness(tmp_path)
    yield its
    its.server.shutdown()
    its.server.server_close()
