"""A worker that is killed during an export."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import one_day
from compliance.exports.services.enqueue_export import enqueue_export
from compliance.exports.tasks import notify_export_workers
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.models import AuditRecord
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import verifier_output
from tests.compliance.exports.exported_days import CLERK, DAY
from tests.processes import Worker, wait_until

_KILLS = 3


@pytest.fixture
def exporter(
    day: None, broker: str, key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Worker]:
    """A worker with the key, not started yet."""
    monkeypatch.setenv("SABOT_EXPORT_KEY", str(tmp_path / "export.key"))
    monkeypatch.setenv("SABOT_EXPORTS", str(tmp_path / "out"))
    worker = Worker(environment=os.environ, folder=tmp_path, role=DatabaseRole.EXPORTER)
    yield worker
    worker.kill()


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_one_that_is_killed_leaves_no_trace(exporter: Worker, tmp_path: Path) -> None:
    """The next one makes the bundle once, without leftovers."""
    enqueue_export(of=one_day(DAY), at=NOW, actor=CLERK)
    for _ in range(_KILLS):
        exporter.start()
        notify_export_workers()
        wait_until(
            lambda: ExportRun.objects.exclude(begun_at=None).exists(), what="a worker begins"
        )
        exporter.kill()
        ExportRun.objects.filter(finished_at=None).update(begun_at=None)

    exporter.start()
    notify_export_workers()
    wait_until(lambda: not ExportRun.objects.filter(finished_at=None).exists(), what="it is made")

    bundle = Bundle.objects.get()
    assert AuditRecord.objects.filter(action="DAY_EXPORTED").count() == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == [bundle.path]
    assert verifier_output(tmp_path / "out" / bundle.path, tmp_path)
