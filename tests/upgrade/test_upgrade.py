"""The previous release is upgraded while rounds arrive and are settled; no round is lost.

Order, as docs/administrator/upgrade.md has it: migrate, then one host after the other. The longest
waits for locks are printed: ``-o log_cli=true -o log_cli_level=INFO`` shows them.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command

from benchmarks.settlement.lock_waits import MIGRATION, LockWaits, watched_lock_waits
from casino.embedded.server_paths import CLONE
from payouts.settlement.models import Settlement
from payouts.stuck_work.models import FailingTask
from rounds.models import Bet, QueuedRound, Round
from rounds.simulation.games import GAMES
from tests.books import assert_books_are_right
from tests.casino.workers.settled_feeds import wait_for_settlement
from tests.crash.feed_load import Lane, Studio
from tests.crash.final_checks import (
    assert_audit_trail_is_complete,
    assert_rounds_are_stored_and_settled_once,
)
from tests.processes import Worker, wait_until
from tests.repetitions import repeated
from tests.upgrade.previous_release import RELEASE, unpack

_SEED: Final = 20261126
_CROWD: Final = 5_000
_STORED_BETS: Final = repeated(100_000)
_FURTHER_ROUNDS: Final = 100
"""That arrive in each stage of the upgrade."""
_OPEN_TABLES: Final = """
from django.utils import timezone
from casino.devserver.demo import make_tables
from compliance.trail.actor import Actor
from rounds.models import EarlierRuleSet, EarlierTable, Table
from rounds.rules.catalogue import RULE_SETS
make_tables(at=timezone.now(), actor=Actor("test"))
EarlierTable.objects.bulk_create([EarlierTable(table=table) for table in Table.objects.all()])
EarlierRuleSet.objects.bulk_create([EarlierRuleSet(digest=it.digest) for it in RULE_SETS.values()])
"""
_log = logging.getLogger(__name__)


def manage(*command: str, code: Path, application: str = "") -> None:
    """Runs a command of a release, as the owner of the tables."""
    environment = {**os.environ, "PGAPPNAME": application}
    subprocess.run([sys.executable, "manage.py", *command], cwd=code, env=environment, check=True)


@pytest.fixture
def previous(empty_database: str, folder: Path) -> Path:
    """The previous release, installed on the test's database, with a table of each game."""
    code = unpack(folder / "previous")
    manage("migrate", "--verbosity=0", code=code)
    manage("grant_roles", "--verbosity=0", code=code)
    manage("grant_database_roles", "--make", "--verbosity=0", code=code)
    manage("shell", "--command", _OPEN_TABLES, code=code)
    return code


@pytest.fixture
def hosts(previous: Path, broker: str, folder: Path) -> Iterator[list[Worker]]:
    """Two worker hosts of the previous release, then two of this one."""
    hosts = [
        Worker(environment=os.environ, folder=folder / f"worker-{number}", code=code)
        for number, code in enumerate((previous, previous, CLONE, CLONE))
    ]
    for host in hosts:
        host.log.parent.mkdir()
    yield hosts
    for host in hosts:
        host.stop()


@pytest.fixture
def studios(folder: Path) -> list[Studio]:
    """A studio for each game."""
    feeds = folder / "feeds"
    feeds.mkdir()
    return [Studio(game, seed=_SEED, folder=feeds, lines=(100, 200)) for game in GAMES]


@pytest.fixture
def crowd(studios: list[Studio], folder: Path) -> Studio:
    """A studio whose rounds have thousands of bets."""
    size = min(_CROWD, _STORED_BETS)
    return Studio("baccarat", seed=_SEED, folder=folder / "feeds", lines=(4, 4), crowd=size)


class Traffic:
    """Feeds that arrive all the time, on a host of each release."""

    def __init__(self, lanes: list[Lane]) -> None:
        self._lanes = lanes

    def play(self, rounds: int = _FURTHER_ROUNDS) -> None:
        """Waits until so many further rounds are settled."""
        enough = Settlement.objects.count() + rounds
        wait_until(
            lambda: self._go_on(deals=True) and Settlement.objects.count() >= enough,
            what=f"{rounds} further rounds are settled",
        )

    def play_during(self, work: "subprocess.Popen[bytes]") -> None:
        """Until a process has ended, which it must with 0."""
        wait_until(
            lambda: self._go_on(deals=True) and work.poll() is not None,
            what="the process has ended",
        )
        assert work.returncode == 0

    def end(self) -> list[str]:
        """Stores what was begun; gives what ingests said that failed."""
        wait_until(lambda: not self._go_on(deals=False), what="every file is stored")
        return [text for lane in self._lanes for text in lane.surprises]

    def _go_on(self, *, deals: bool) -> bool:
        """Begins the next file of each lane whose last one is stored; False if there is none."""
        going_on = [lane.go_on(deals=deals) for lane in self._lanes]
        return any(going_on)


@pytest.fixture
def traffic(studios: list[Studio], previous: Path, folder: Path) -> Iterator[Traffic]:
    """Half of the studios deliver to a feed host of the previous release, half to a new one."""
    lanes = [
        Lane(studios[number::2], log=folder / f"ingest-{number}.log", code=code)
        for number, code in enumerate((previous, CLONE))
    ]
    yield Traffic(lanes)
    for lane in lanes:
        lane.end()


def store_bets(studio: Studio, folder: Path, code: Path) -> None:
    """Stores and settles what the installation has from before."""
    lane = Lane([studio], log=folder / "ingest-before.log", code=code)
    number = 0
    while Bet.objects.count() < _STORED_BETS:
        studio.file(number, deals=True)
        wait_until(lambda: not lane.go_on(deals=False), what="the file is stored")
        assert lane.surprises == []
        number += 1
    wait_for_settlement()


def migrated_under_load(traffic: Traffic, url: str, folder: Path) -> LockWaits:
    """Takes the steps of a release while rounds arrive, and watches the locks."""
    before = Round.objects.count()
    with watched_lock_waits(url) as waits:
        for command in RELEASE:
            with (folder / "release.log").open("ab") as log:
                step = subprocess.Popen(
                    [sys.executable, "manage.py", *command],
                    cwd=CLONE,
                    env={**os.environ, "PGAPPNAME": MIGRATION},
                    stdout=log,
                    stderr=log,
                )
                traffic.play_during(step)
    assert Round.objects.count() > before
    return waits


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_an_upgrade_loses_no_round_and_pays_none_twice(
    empty_database: str,
    previous: Path,
    hosts: list[Worker],
    studios: list[Studio],
    crowd: Studio,
    traffic: Traffic,
    folder: Path,
) -> None:
    """Old and new workers settle side by side, old and new ingests store feeds."""
    first, second, third, fourth = hosts
    first.start()
    second.start()
    store_bets(crowd, folder, previous)

    waits = migrated_under_load(traffic, empty_database, folder)
    traffic.play()
    first.stop()
    third.start()
    traffic.play()
    second.stop()
    fourth.start()
    traffic.play()
    failed = traffic.end()
    wait_for_settlement()

    _log.info(
        "%d rounds, %d bets; longest wait for the migration %.0f ms, for any row %.0f ms (%s)",
        Round.objects.count(),
        Bet.objects.count(),
        waits.for_migration_seconds * 1000,
        waits.longest_seconds * 1000,
        waits.longest,
    )
    lines = [line for studio in (*studios, crowd) for line in studio.lines()]
    assert failed == []
    assert not QueuedRound.objects.exists()
    assert_rounds_are_stored_and_settled_once(lines)
    assert_books_are_right(lines)
    assert_audit_trail_is_complete()
    assert not FailingTask.objects.filter(recovered_at=None).exists()
    call_command("reconcile", stdout=StringIO())
    call_command("verify_trail", verbosity=0)
