"""Simulated days: none of them ends wrong, and each planted fault is found."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from psycopg import sql
from psycopg.pq import TransactionStatus

from casino.embedded.addresses import database_url
from casino.embedded.server_paths import ServerPaths
from payouts.cases import decide_case
from payouts.ledger.models import PayOver
from payouts.ledger.transfer_to_wallet import pay_over
from rounds.services.ingest import Tally, ingest_documents
from tests.casino_in_play import open_tables
from tests.compliance.exports.exported_days import key_in, known_in
from tests.conftest import NewTemplate
from tests.databases import connected_to
from tests.process_memory import forget_verified
from tests.repetitions import repeated
from tests.servers import POSTGRES
from tests.simulation import day as simulated
from tests.simulation.day import SimulatedDay
from tests.simulation.studio import OPENING

_DAYS: Final = int(os.environ.get("SABOT_DAYS") or repeated(60))
_SEED: Final = int(os.environ.get("SABOT_SEED") or 1)
_STEPS: Final = 60
_REPORTED: Final = 50
_DAYS_TO_FIND: Final = 60


@pytest.fixture
def world(
    new_template: NewTemplate,
    casino_template: str,
    empty_database: str,
    worker_id: str,
    tmp_path: Path,
) -> Iterator[type[SimulatedDay]]:
    """The machine of days that begin with tables of every game and nothing else."""
    template = new_template("simulated_day", _open, template=casino_template)
    name = f"simulated_{worker_id}"
    url = database_url(ServerPaths(POSTGRES), name)

    def prepare() -> str:
        connection.close()
        _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        _outside("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
        forget_verified()
        return url

    class World(SimulatedDay):
        days = 0

        def teardown(self) -> None:
            if sys.exception() is not None or not self.is_open:
                return
            self.end()
            World.days += 1
            if World.days % _REPORTED == 0:
                _say(f"{World.days} days were right")

    World.prepare, World.happened = staticmethod(prepare), Counter()
    World.folder = tmp_path / "exports"
    World.key, World.known = key_in(tmp_path), known_in(tmp_path)
    with connected_to(url):
        yield World
    for what, times in sorted(World.happened.items()):
        _say(f"{times:>7,} {what}")
    _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _open() -> None:
    open_tables(at=OPENING)


def _outside(statement: str, *names: str) -> None:
    url = database_url(ServerPaths(POSTGRES), "postgres")
    with psycopg.connect(url, autocommit=True) as outside:
        outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _live(world: type[SimulatedDay], *, days: int, shrinks: bool = True) -> None:
    run_state_machine_as_test(
        seed(_SEED)(world),
        settings=settings(
            max_examples=days,
            stateful_step_count=_STEPS,
            deadline=None,
            database=None,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink) if shrinks else (Phase.generate,),
        ),
    )


def _acknowledges_too_early(patch: pytest.MonkeyPatch) -> None:
    """Documents are acknowledged, and every second time not stored."""
    turns = count()

    def lose(*arguments: Any, **options: Any) -> Tally:
        with transaction.atomic():
            tally = ingest_documents(*arguments, **options)
            transaction.set_rollback(next(turns) % 2 == 1)
        return tally

    patch.setattr(simulated, "ingest_documents", lose)


def _keeps_what_the_killed_wrote(patch: pytest.MonkeyPatch) -> None:
    """A process that is killed leaves half of its transaction."""
    close = psycopg.Connection.close

    def commit(raw: "psycopg.Connection[Any]") -> None:
        if raw.info.transaction_status is TransactionStatus.INTRANS:
            raw.commit()
        close(raw)

    patch.setattr(psycopg.Connection, "close", commit)


def _pays_over_again(patch: pytest.MonkeyPatch) -> None:
    """A reference that was used moves money once more."""
    turns = count()

    def pay(*, reference: str, **options: Any) -> PayOver:
        return pay_over(reference=f"{reference}-{next(turns)}", **options)

    patch.setattr(simulated, "pay_over", pay)


def _lets_one_person_decide(patch: pytest.MonkeyPatch) -> None:
    """The service no longer asks for another person; the database does."""
    patch.setattr(decide_case, "_require_other_person", lambda *_case, **_options: None)


@pytest.mark.slow
# Cursors that a killed process has left open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestDays:
    def test_no_day_ends_wrong(self, world: type[SimulatedDay]) -> None:
        """As many as the share of repetitions allows, or as the command asks for."""
        _live(world, days=_DAYS)

    @pytest.mark.parametrize(
        "plant",
        [
            _acknowledges_too_early,
            _keeps_what_the_killed_wrote,
            _pays_over_again,
            _lets_one_person_decide,
        ],
    )
    def test_planted_faults_are_found(
        self,
        world: type[SimulatedDay],
        monkeypatch: pytest.MonkeyPatch,
        plant: Callable[[pytest.MonkeyPatch], None],
    ) -> None:
        """Within a few days each."""
        plant(monkeypatch)
        with pytest.raises((AssertionError, DatabaseError)):
            _live(world, days=_DAYS_TO_FIND, shrinks=False)
