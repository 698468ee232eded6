"""Two workers with the key continue a log at once, or one is killed while it does."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from django.db import connection, connections, transaction

from casino.embedded.server_paths import CLONE
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.key_file import remember_head, witnessed_head
from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import LogGap, TreeHead
from tests.compliance.trail.logs import KEY, NOW, faults, write
from tests.compliance.trail.lost_logs import declare, find_loss, lose, signing_persons
from tests.processes import wait_until

_TASK: Final = (
    "import django; django.setup()\n"
    "from compliance.trail.tasks import append_to_log_task; append_to_log_task()"
)
_WAITING: Final = """
    SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE datname = current_database() AND NOT granted)
"""


@pytest.fixture
def witnessed(fresh_casino: str) -> WitnessedHead:
    """The last head of a log that has lost its tail; two persons have declared that."""
    with transaction.atomic():
        signing_persons()
        witnessed = lose(300, 2, after=[260])
    declare(find_loss(witnessed))
    return witnessed


def append_all(witnessed: WitnessedHead) -> None:
    """As the task does, in a thread of its own."""
    try:
        head: WitnessedHead | None = witnessed
        while head is not None:
            head = append_to_log(KEY, now=NOW, witnessed=head)
    finally:
        connections.close_all()


def test_two_workers_store_one_gap(witnessed: WitnessedHead) -> None:
    """One after the other, each from the same remembered head."""
    write(3)

    with ThreadPoolExecutor(max_workers=4) as threads:
        list(threads.map(append_all, [witnessed] * 4))

    assert LogGap.objects.count() == 1
    heads = TreeHead.objects.order_by("sequence").values_list("sequence", flat=True)
    assert list(heads) == [1, 3, 4, 5]
    assert faults() == []


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_nothing_behind(
    witnessed: WitnessedHead, tmp_path: Path, fresh_casino: str
) -> None:
    """The gap, the head that is stored again and the next one are one transaction."""
    file = tmp_path / "log.pem"
    file.write_bytes(KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    remember_head(file, witnessed)
    environment = {
        **os.environ,
        "DATABASE_URL": fresh_casino,
        "LOG_KEY_FILE": str(file),
        "DJANGO_SETTINGS_MODULE": "casino.settings",
    }
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE trail_loggedbatch IN SHARE MODE")
        worker = subprocess.Popen([sys.executable, "-c", _TASK], cwd=CLONE, env=environment)
        wait_until(is_waiting, what="the worker waits for the table")
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    wait_until(lambda: not is_waiting(), what="its session has ended")

    assert not LogGap.objects.exists()
    assert TreeHead.objects.count() == 1
    assert witnessed_head(file) == witnessed
    subprocess.run([sys.executable, "-c", _TASK], cwd=CLONE, env=environment, check=True)
    assert LogGap.objects.count() == 1
    assert found_loss() is None
    assert faults() == []


def is_waiting() -> bool:
    """Whether a session waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return bool(cursor.fetchone()[0])
