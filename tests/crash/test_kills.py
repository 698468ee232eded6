"""Kill -9 of any process, at any moment, under load (issue 4)."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from payouts.stuck_work.models import FailingTask
from rounds.models import Bet, Round
from rounds.simulation.games import GAMES
from tests.books import assert_books_are_right
from tests.casino_in_play import open_tables
from tests.crash.casino_state import StateReader
from tests.crash.feed_load import Lane, Studio
from tests.crash.final_checks import (
    assert_audit_trail_is_complete,
    assert_history_has_an_order,
    assert_log_is_verified,
    assert_no_failures_locks_or_connections_remain,
    assert_rounds_are_stored_and_settled_once,
)
from tests.crash.kill_storm import Storm
from tests.crash.observer import Observer
from tests.crash.supervised_casino import SupervisedCasino
from tests.databases import connected_to
from tests.histories.operations import History
from tests.processes import wait_until
from tests.repetitions import repeated

_SEED = 20261121
_KILLS = repeated(300)
_log = logging.getLogger(__name__)


@pytest.fixture
def casino(
    folder: Path, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SupervisedCasino]:
    """A separate running casino with its tables; the environment names its servers."""
    supervised = SupervisedCasino(folder)
    monkeypatch.setattr("casino.devserver.watch.LOGS", folder / "log")
    monkeypatch.setenv("DATABASE_URL", supervised.database_url)
    monkeypatch.setenv("CELERY_BROKER_URL", supervised.broker_url)
    try:
        supervised.start()
        with django_db_blocker.unblock(), connected_to(supervised.database_url):
            open_tables(at=timezone.now())
            connection.close()  # it would not live long
            yield supervised
    finally:
        supervised.stop()


@pytest.fixture
def reader(casino: SupervisedCasino) -> Iterator[StateReader]:
    """A reader of the casino's state."""
    reader = StateReader(casino.database_url)
    yield reader
    reader.close()


@pytest.fixture
def studios(folder: Path) -> list[Studio]:
    """A studio for each game, and one with five thousand bets a round."""
    feeds = folder / "feeds"
    feeds.mkdir()
    games = [Studio(game, seed=_SEED, folder=feeds, lines=(50, 250)) for game in GAMES]
    return [*games, Studio("baccarat", seed=_SEED, folder=feeds, lines=(2, 2), crowd=5_000)]


@pytest.fixture
def lanes(casino: SupervisedCasino, studios: list[Studio], folder: Path) -> Iterator[list[Lane]]:
    """Two lanes, so that every file is ingested twice, often at the same time."""
    lanes = [Lane(studios, log=folder / "log" / f"ingest-{number}.log") for number in range(2)]
    yield lanes
    for lane in lanes:
        lane.end()


@pytest.fixture
def history() -> History:
    """Of the storm."""
    return History()


@pytest.fixture
def observers(
    casino: SupervisedCasino, studios: list[Studio], history: History
) -> Iterator[list[Observer]]:
    """Two who read rounds all the time."""

    def dealt() -> list[str]:
        return [reference for studio in studios for reference in studio.newest]

    observers = [
        Observer(casino.database_url, f"observer {number}", dealt, history, seed=_SEED)
        for number in range(2)
    ]
    for observer in observers:
        observer.start()
    yield observers
    for observer in observers:
        observer.end()


def lines_of(studios: list[Studio]) -> list[bytes]:
    """The lines of all studios."""
    return [line for studio in studios for line in studio.lines()]


class TestACasinoUnderKills:
    @pytest.mark.slow
    @pytest.mark.timeout(2400)
    def test_settles_every_round_once_and_recovers(
        self,
        casino: SupervisedCasino,
        studios: list[Studio],
        lanes: list[Lane],
        reader: StateReader,
        observers: list[Observer],
        history: History,
    ) -> None:
        """Worker, beat, broker, PostgreSQL and ingest are killed, also during transactions."""
        storm = Storm(casino, lanes, reader, seed=_SEED)

        figures = storm.run(kills=_KILLS)
        storm.finish()
        wait_until(
            lambda: not FailingTask.objects.filter(recovered_at=None).exists(),
            what="the sweep has recovered",
        )
        casino.wait_for_orphans()
        for observer in observers:
            observer.end()
        reader.close()
        casino.stop_programs()

        _log.info("%s; %d rounds, %d bets", figures, Round.objects.count(), Bet.objects.count())
        _log.info(
            "ingests: %s, died: %s", [lane.runs for lane in lanes], [lane.died for lane in lanes]
        )
        lines = lines_of(studios)
        assert_rounds_are_stored_and_settled_once(lines)
        assert_books_are_right(lines)
        read = len(history.operations)
        assert_history_has_an_order(history, lanes)
        assert_audit_trail_is_complete()
        assert_log_is_verified(casino.log_key)
        assert_no_failures_locks_or_connections_remain()
        assert "\n".join(casino.ended_by_themselves) == ""
        assert [surprise for lane in lanes for surprise in lane.surprises] == []
        assert "trying its halves" not in casino.worker.log.read_text()
        # The storm killed enough processes at work for the checks to mean anything.
        assert read >= _KILLS
        assert [surprise for observer in observers for surprise in observer.surprises] == []
        assert figures.in_flight >= _KILLS * 0.4
        assert figures.after_progress >= _KILLS * 0.4
        assert figures.cut >= _KILLS * 0.25
