"""All the load of a soak, begun and ended together."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from benchmarks.soak.installation import Installation
from benchmarks.soak.load.calls import Lane, Setting
from benchmarks.soak.load.days import Days, Visits
from benchmarks.soak.load.office import Office
from benchmarks.soak.load.operators import Operators
from benchmarks.soak.load.programs import Customers, Readers
from benchmarks.soak.load.studios import Files, Jobs, Streams, Studio
from benchmarks.soak.people import (
    OPERATORS,
    TABLES_OF_A_GAME,
    People,
    approve_keys_of_operators,
)
from compliance.storage.database_roles.role import DatabaseRole

_GAMES: Final = (("blackjack", "mega-fire-blaze"), ("baccarat", "quantum"), ("zappit",))
"""Of the studio that delivers files, of that with streams, and of that with jobs."""
_PLAYED_BEFORE: Final = timedelta(hours=30)
"""The tables open so long ago, so that a gaming day ends before the load, and one goes on."""
FEED_HOST: Final = "feed"
"""Where files are ingested."""
_END_SECONDS: Final = 300
_ARRIVAL_SECONDS: Final = 2
"""Between two lanes: passwords that are checked in the same moment would be in each other's way."""


class Load:
    """Studios, programs, customers and people."""

    def __init__(self, place: Installation, people: People, setting: Setting) -> None:
        self.notes: Final = setting.notes
        start = int((time.time() - _PLAYED_BEFORE.total_seconds()) * 1000)
        self.studios: Final = [
            Studio(games, people.signer, seed=setting.seed, start=start, tables=TABLES_OF_A_GAME)
            for games in _GAMES
        ]
        of_files, of_streams, of_jobs = self.studios
        self.files: Final = Files(
            setting,
            of_files,
            folder=place.folder / "feeds",
            environment=place.environment_of(DatabaseRole.FEED, host=FEED_HOST),
            lines=40,
            pause_seconds=8,
        )
        self.streams: Final = Streams("streams", setting, of_streams, lines=8, pause_seconds=2)
        self.jobs: Final = Jobs("jobs", setting, of_jobs, lines=40, pause_seconds=40)
        self.customers: Final = Customers(setting, pause_seconds=8)
        self.office: Final = Office(setting, people.staff, pause_seconds=4)
        self.days: Final = Days(setting, people.staff["compliance"], pause_seconds=45)
        self.operators: Final = Operators(
            setting,
            [people.staff[name] for name in OPERATORS],
            approve_keys=approve_keys_of_operators,
            pause_seconds=4,
        )
        self._lanes: Sequence[Lane] = (
            self.files,
            self.streams,
            self.jobs,
            self.customers,
            self.office,
            self.days,
            self.operators,
            Readers(setting, pause_seconds=1),
            Visits(setting, people.staff["payments"], pause_seconds=1.5),
        )

    def start(self) -> None:
        """Begins."""
        for lane in self._lanes:
            lane.start()
            time.sleep(_ARRIVAL_SECONDS)

    def end(self) -> None:
        """Ends every lane after what it is doing. TimeoutError if one does not end."""
        for lane in self._lanes:
            lane.end()
        deadline = time.monotonic() + _END_SECONDS
        for lane in self._lanes:
            lane.join(max(0, deadline - time.monotonic()))
            if lane.is_alive():
                raise TimeoutError(f"{lane.name} does not end within {_END_SECONDS} seconds")
