"""Feeds that workers settle, for tests."""

from pathlib import Path

from rounds.models import QueuedRound
from tests.processes import wait_until


def wait_for_settlement() -> None:
    """Waits until no round is queued."""
    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")


def lines_of(*feeds: Path) -> list[bytes]:
    """The lines of the feeds."""
    return [line for feed in feeds for line in feed.read_bytes().splitlines()]
