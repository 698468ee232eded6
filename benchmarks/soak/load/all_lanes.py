"""All the load of a soak, begun and ended together."""

import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from benchmarks.soak.installation import Installation
from benchmarks.soak.load.calls import Lane, Notes
from benchmarks.soak.load.days import Days, Visits
from benchmarks.soak.load.office import Office
from benchmarks.soak.load.programs import Customers, Readers
from benchmarks.soak.load.studios import Feed, Files, Jobs, Streams
from benchmarks.soak.people import TABLES_OF_A_GAME, People
from casino.operations.database_roles import DatabaseRole

_GAMES_OF_FILES: Final = ("blackjack", "mega-fire-blaze")
_GAMES_OF_STREAMS: Final = ("baccarat", "quantum")
_GAMES_OF_JOBS: Final = ("zappit",)
_PLAYED_BEFORE: Final = timedelta(hours=30)
"""The tables open so long ago, so that a gaming day ends before the load, and one goes on."""
_END_SECONDS: Final = 300


class Load:
    """Studios, programs, customers and people."""

    def __init__(
        self, place: Installation, people: People, *, notes: Notes, folder: Path, seed: int
    ) -> None:
        self.notes = notes
        start = int((time.time() - _PLAYED_BEFORE.total_seconds()) * 1000)
        self.feeds: Final = [
            Feed(games, seed=seed, start=start, tables=TABLES_OF_A_GAME)
            for games in (_GAMES_OF_FILES, _GAMES_OF_STREAMS, _GAMES_OF_JOBS)
        ]
        feed_environment = place.environment_of(DatabaseRole.FEED)
        shared = {"notes": notes, "addresses": place.addresses, "seed": seed}
        studio = {**shared, "token": people.token}
        self.files: Final = Files(
            self.feeds[0],
            people.studio,
            notes=notes,
            folder=folder,
            environment=feed_environment,
            seed=seed,
            lines=40,
            pause_seconds=8,
        )
        self.streams: Final = Streams(
            "streams", self.feeds[1], people.studio, **studio, lines=8, pause_seconds=2
        )
        self.jobs: Final = Jobs(
            "jobs", self.feeds[2], people.studio, **studio, lines=40, pause_seconds=40
        )
        self.customers: Final = Customers(**studio, pause_seconds=8)
        self.office: Final = Office(people, **shared, pause_seconds=4)
        self.days: Final = Days(people, notes=notes, addresses=place.addresses, pause_seconds=45)
        self._lanes: Sequence[Lane] = (
            self.files,
            self.streams,
            self.jobs,
            Readers(**studio, pause_seconds=1),
            self.customers,
            self.office,
            self.days,
            Visits(people, **shared, pause_seconds=1.5),
        )

    def start(self) -> None:
        """Begins."""
        for lane in self._lanes:
            lane.start()

    def end(self) -> None:
        """Ends every lane after what it is doing. TimeoutError if one does not end."""
        for lane in self._lanes:
            lane.end()
        deadline = time.monotonic() + _END_SECONDS
        for lane in self._lanes:
            lane.join(max(0, deadline - time.monotonic()))
            if lane.is_alive():
                raise TimeoutError(f"{lane.name} does not end within {_END_SECONDS} seconds")
