"""Real services, one statement at a time."""

import os
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from casino.embedded.addresses import database_url
from casino.embedded.server_paths import ServerPaths
from rounds.services.require_signed_rules import SIGNED
from rounds.signatures.decided_by_persons import KNOWN
from rounds.signatures.verified_batches import forget_verified_batches
from tests.conftest import NewTemplate
from tests.databases import connected_to
from tests.interleavings.explore import explore
from tests.interleavings.scenes import SCENES, Scene, judged
from tests.interleavings.schedules import Outcome, replayed, run
from tests.repetitions import repeated
from tests.servers import POSTGRES

_REPORTED: Final = 20
_MANY: Final = 60
_PLAYED: Final = ("settle-settle", "approve-reject", "ingest-ingest")
"""What is not of these is run by the command alone, until it has been seen to end."""
_ON_DEMAND: Final = "SABOT_SCHEDULES" in os.environ
_LIMIT: Final = int(os.environ.get("SABOT_SCHEDULES") or repeated(_MANY))
"""The schedules of a scene; 0 explores it to its end."""
_REPLAY: Final = os.environ.get("SABOT_REPLAY", "")

Prepare = Callable[[], str]


@pytest.fixture
def prepare_for(
    new_template: NewTemplate, casino_template: str, empty_database: str, worker_id: str
) -> Iterator[Callable[[str], Prepare]]:
    """Makes what puts the database of a scene into its first state."""
    name = f"interleaved_{worker_id}"
    url = database_url(ServerPaths(POSTGRES), name)

    def prepare_for(scene: str) -> Prepare:
        fill = SCENES[scene].fill
        template = new_template(f"scene_{scene.replace('-', '_')}", fill, template=casino_template)

        def prepare() -> str:
            connection.close()
            _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
            _outside("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
            # Each schedule begins as a new process, which has verified nothing yet.
            SIGNED.forget()
            KNOWN.forget()
            forget_verified_batches()
            return url

        return prepare

    with connected_to(url):
        yield prepare_for
    _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _outside(statement: str, *names: str) -> None:
    url = database_url(ServerPaths(POSTGRES), "postgres")
    with psycopg.connect(url, autocommit=True) as outside:
        outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _explored(name: str, prepare: Prepare, *, limit: int) -> None:
    scene, judged_schedules = SCENES[name], 0
    for outcome in islice(explore(scene.programs, prepare=prepare), limit or None):
        _judge(name, scene, outcome)
        judged_schedules += 1
        if judged_schedules % _REPORTED == 0:
            _say(f"{name}: {judged_schedules} schedules so far")
    is_exhausted = judged_schedules != limit
    _say(f"{name}: {judged_schedules} schedules, {'exhausted' if is_exhausted else 'bounded'}")


def _judge(name: str, scene: Scene, outcome: Outcome) -> None:
    try:
        judged(scene, outcome)
    except AssertionError:
        _say(f"python -m tests.interleavings {name} --schedule {outcome.replay}")
        raise


class TestScenes:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", SCENES if _ON_DEMAND else _PLAYED)
    def test_schedules(self, prepare_for: Callable[[str], Prepare], name: str) -> None:
        """As many as the share of repetitions allows, or all on demand."""
        if not _REPLAY:
            _explored(name, prepare_for(name), limit=_LIMIT)
            return
        outcome = run(SCENES[name].programs, replayed(_REPLAY), url=prepare_for(name)())
        for event in outcome.events:
            waited = " (waited)" if event.has_waited else ""
            _say(f"{event.session}{waited}: {' '.join(event.statement.split())[:160]}")
        _say(f"{outcome.answers} {outcome.errors}")
        _judge(name, SCENES[name], outcome)
