"""A worker that loses a process during its start, or finds a changed schema."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from casino.devserver.programs import settling_programs
from casino.devserver.watch import Program
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.models import AuditRecord
from payouts.stuck_work.models import FailingTask
from rounds.models import QueuedRound, Round
from tests.attacks.integrity.stops import resume
from tests.compliance.trail.lost_logs import give_role
from tests.crash.supervised_casino import children_of, kill
from tests.databases import url_as
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.processes import ingest, wait_until


@pytest.fixture
def program(
    fresh_casino: str,
    broker: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Iterator[Program]:
    """The worker of `make run`, not started yet."""
    monkeypatch.setattr("casino.devserver.watch.LOGS", tmp_path)
    programs, _ = settling_programs(
        schedule=tmp_path / "celerybeat",
        log_key=tmp_path / "log.pem",
        environment={"DATABASE_URL": url_as(DatabaseRole.WORKER, fresh_casino)},
    )
    yield programs
    programs.ask_to_end()
    programs.wait_for_end()


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_it_takes_another_process_and_settles(program: Program, feeds: tuple[Path, Path]) -> None:
    """Celery alone gives up with "Could not start worker processes"."""
    program.start()
    wait_until(lambda: bool(children_of(program.pid)), what="its first process is there")
    kill(children_of(program.pid)[0])
    wait_until(lambda: "ready" in program.log.read_text(), what="it listens")

    ingest(feeds[0])

    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
    assert Round.objects.exists()
    assert not program.has_ended()


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_it_settles_nothing_while_a_guard_is_gone(
    program: Program, feeds: tuple[Path, Path]
) -> None:
    """The schema is compared at start; rounds wait until it is correct and two persons resume."""
    alter = "ALTER TABLE payouts_casestep {} TRIGGER ALL"
    with connection.cursor() as cursor:
        cursor.execute(alter.format("DISABLE"))
    ingest(feeds[0])

    program.start()
    wait_until(program.has_ended, what="it has refused to start")

    failing = FailingTask.objects.get(task="casino.verify_schema", recovered_at__isnull=True)
    assert "disabled; needed enabled" in failing.last_error
    assert AuditRecord.objects.filter(action="SCHEMA_DIFFERS", actor="starting worker").exists()
    assert "This worker does not start" in program.log.read_text()
    assert QueuedRound.objects.exists()

    with connection.cursor() as cursor:
        cursor.execute(alter.format("ENABLE"))
    give_role(GIULIA, "compliance")
    give_role(LORENZO, "supervisor")
    for seen, person in enumerate((GIULIA, LORENZO)):
        resume(by=person, seen=seen, at=timezone.now())
    program.start()
    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
    failing.refresh_from_db()
    assert failing.recovered_at is not None
