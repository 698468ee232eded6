"""Polling during settlement has no gaps and no duplicates (issue 8)."""

from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from tests.casino.api.api_client import Program, issued
from tests.casino.api.events.event_scenarios import all_events, page_after, settled_rounds
from tests.casino_in_play import open_table


@pytest.mark.usefixtures("fresh_casino")
class TestPollingDuringSettlement:
    @pytest.mark.slow
    def test_gets_each_event_once_and_skips_none(self) -> None:
        """Rounds are settled and logged by another connection during polling."""
        open_table()
        program, done = Program(issued(calls_per_minute=100_000).token), Signal()
        references = [f"r-{number}" for number in range(120)]
        busy = Thread(target=_play, args=(references, done))
        busy.start()

        polled, after, was_done = [], "0", False
        while True:
            page: Any = page_after(program, after, limit=7)
            polled += [event["data"]["settlement"]["round"] for event in page["data"]]
            after = page["next"]
            if was_done and not page["more"]:
                break
            was_done = done.is_set()
        busy.join()

        assert sorted(polled) == sorted(references)
        assert polled == [event["data"]["settlement"]["round"] for event in all_events(program)]


def _play(references: list[str], done: Signal) -> None:
    try:
        for first in range(0, len(references), 6):
            settled_rounds(*references[first : first + 6])
    finally:
        connection.close()
        done.set()
