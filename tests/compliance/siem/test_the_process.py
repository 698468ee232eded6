"""The process with its database role: its receiver goes away, it is killed, there are two of it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from ssl import SSLContext
from typing import Any

import pytest

from casino.embedded.server_paths import CLONE
from casino.operations.checks.check_result import State
from compliance.siem.models import SiemCursor
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.batches import record_id
from compliance.trail.log.log_reader import log_size
from compliance.trail.models import AuditBatch, LoggedBatch
from tests.casino.operations.check_results import found
from tests.certificates import Authority
from tests.compliance.siem.siem_servers import HttpServer, SyslogServer, server_context
from tests.compliance.trail.logs import append, tamper, write
from tests.processes import environment_of, wait_until
from tests.repetitions import repeated

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_casino")]

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(authority: Authority, tmp_path: Path) -> Iterator[Start]:
    """Starts the command; its log is ``siem.log``. What still runs is killed at the end."""
    running: list[subprocess.Popen[str]] = []

    def begin(**settings: Any) -> "subprocess.Popen[str]":
        named = {name: str(value) for name, value in settings.items()}
        environment = {**environment_of(DatabaseRole.SIEM, os.environ), **named}
        with (tmp_path / "siem.log").open("a") as log:
            running.append(
                subprocess.Popen(
                    [sys.executable, "manage.py", "send_audit_events"],
                    cwd=CLONE,
                    env={"SIEM_CA_FILE": str(authority.file), **environment},
                    stdout=log,
                    stderr=log,
                    text=True,
                )
            )
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.wait()


def recorded(*sizes: int) -> None:
    """Writes and signs batches of these sizes."""
    for size in sizes:
        write(size)
    append()


def logged_ids() -> list[str]:
    """The ids of all records in the order of the log."""
    counts = dict(AuditBatch.objects.values_list("id", "record_count"))
    batches = LoggedBatch.objects.order_by("first_leaf").values_list("batch_id", flat=True)
    return [str(record_id(batch, n)) for batch in batches for n in range(counts[batch])]


def is_sent() -> bool:
    """Whether each receiver has confirmed everything."""
    seen = list(SiemCursor.objects.values_list("seen", flat=True))
    return bool(seen) and set(seen) == {log_size()}


def test_a_receiver_that_was_away_misses_nothing(
    start: Start, syslog: SyslogServer, http: HttpServer, authority: Authority, tmp_path: Path
) -> None:
    """The other one goes on; the one that was away gets everything once, in order."""
    recorded(3, 700)
    process = start(
        SIEM_SYSLOG=f"localhost:{syslog.port}", SIEM_HTTP_URL=f"https://localhost:{http.port}/"
    )
    wait_until(is_sent, what="both have the first records")

    syslog.stop()
    for _head in range(5):
        recorded(1, 40)
    wait_until(lambda: len(http.events) == log_size(), what="the other one has all")
    away = SiemCursor.objects.get(receiver="syslog")
    wait_until(
        lambda: SiemCursor.objects.get(receiver="syslog").error != "", what="the error is known"
    )
    back = SyslogServer(server_context(*authority.issue("localhost")), syslog.port)
    wait_until(is_sent, what="it has all, too")
    back.stop()
    process.send_signal(signal.SIGTERM)

    assert process.wait(60) == 0
    assert away.seen == len(syslog.events)
    assert syslog.uids + back.uids == logged_ids()
    assert http.uids == logged_ids()
    log = (tmp_path / "siem.log").read_text()
    assert "ConnectionRefusedError" in log
    assert "sent again" in log


def test_killed_while_it_sends_it_misses_nothing(start: Start, syslog: SyslogServer) -> None:
    """``kill -9`` in the middle of a batch, again and again."""
    seed = Random(7)
    recorded(*(seed.choice((1, 2, 900)) for _ in range(40)))
    began_at = set()
    for _kill in range(repeated(10)):
        syslog.is_holding.clear()
        syslog.may_read.clear()
        syslog.holds_at = syslog.connections + seed.choice((1, 2, 3))
        process = start(SIEM_SYSLOG=f"localhost:{syslog.port}")
        wait_until(syslog.is_holding.is_set, what="a part of a batch has arrived")
        process.kill()
        process.wait()
        began_at.add(SiemCursor.objects.get().seen)
        syslog.may_read.set()

    start(SIEM_SYSLOG=f"localhost:{syslog.port}")
    wait_until(is_sent, what="everything is sent")

    assert len(began_at) > repeated(10) // 3
    assert log_size() not in began_at
    assert len(syslog.uids) > log_size()
    assert list(dict.fromkeys(syslog.uids)) == logged_ids()


def test_two_processes_do_not_interleave(start: Start, syslog: SyslogServer) -> None:
    """One sends at a time, so that nothing is even repeated."""
    recorded(*[450] * 20)
    for _process in range(2):
        start(SIEM_SYSLOG=f"localhost:{syslog.port}")
    wait_until(is_sent, what="everything is sent")
    recorded(1, 600, 1)
    wait_until(is_sent, what="the rest is sent")

    assert syslog.uids == logged_ids()


def test_a_wrong_certificate_is_reported(
    start: Start, serving: Callable[..., SyslogServer], tmp_path: Path, trusted: SSLContext
) -> None:
    """In the log, by ``doctor`` and the cursor; nothing is sent."""
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other", name="other")
    server = serving(context=server_context(*other.issue("localhost")))
    recorded(2)
    before = found("siem")

    start(SIEM_SYSLOG=f"localhost:{server.port}")
    wait_until(
        lambda: SiemCursor.objects.filter(failing_since__isnull=False).exists(), what="it fails"
    )

    assert server.events == []
    words = "its certificate is refused, nothing was sent: unable to get local issuer certificate"
    assert words in SiemCursor.objects.get().error
    wait_until(lambda: words in (tmp_path / "siem.log").read_text(), what="it is logged")
    assert before == (State.OK, "no receiver")
    assert found("siem") == (State.ERROR, "2 records wait for syslog")


def test_wrong_settings_are_named(start: Start, tmp_path: Path) -> None:
    """The process ends."""
    process = start(SIEM_SYSLOG="https://siem.example")

    assert process.wait(60) == 1
    assert "SIEM_SYSLOG: found https://siem.example; needed" in (tmp_path / "siem.log").read_text()


@pytest.fixture(autouse=True)
def _no_rows(fresh_casino: str) -> None:
    """No digests of rows that migrations wrote."""
    tamper("DELETE FROM trail_pendingrow")
