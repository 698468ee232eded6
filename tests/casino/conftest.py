"""Fixtures: a broker whose connection can be cut, logged lines, the end of shared servers."""

import io
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings
from structlog.contextvars import clear_contextvars

from casino.operations.json_logs import formatter
from tests.brokers import RABBITMQ_URL, line_to
from tests.casino.api.web_server import stop_servers
from tests.casino.logged_lines import Lines, parsed
from tests.casino_in_play import open_tables
from tests.lines import Line
from tests.processes import Worker

collect_ignore = [] if RABBITMQ_URL else ["test_rabbitmq.py"]

_ROUNDS: Final = 120


@pytest.fixture(scope="session", autouse=True)
def _web_servers() -> Iterator[None]:
    """Those that wait for further tests end with the last test."""
    yield
    stop_servers()


@pytest.fixture
def line(broker: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The connection of all processes to the broker."""
    with line_to(broker) as (line, url):
        monkeypatch.setenv("CELERY_BROKER_URL", url)
        yield line


@pytest.fixture
def distant_worker(fresh_casino: str, line: Line, tmp_path: Path) -> Iterator[Worker]:
    """A worker on that connection, not started yet."""
    worker = Worker(environment=os.environ, folder=tmp_path)
    yield worker
    worker.stop()


@pytest.fixture
def feeds(fresh_casino: str, tmp_path: Path) -> tuple[Path, Path]:
    """A feed in two halves, of registered tables."""
    return cut_feed(tmp_path, rounds=_ROUNDS)


def cut_feed(folder: Path, *, rounds: int) -> tuple[Path, Path]:
    """Deals this many rounds at tables it registers; returns two halves."""
    open_tables(at=timezone.now())
    whole, first, second = (folder / f"{name}.ndjson" for name in ("feed", "first", "second"))
    call_command("simulate", rounds=rounds, faults=0.05, out=str(whole))
    lines = whole.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join(lines[: len(lines) // 2]))
    second.write_bytes(b"".join(lines[len(lines) // 2 :]))
    return first, second


@pytest.fixture
def logged(settings: Settings, tmp_path: Path) -> Iterator[Lines]:
    """The lines that this process logs, parsed."""
    settings.LOG_FORMAT, settings.STATIC_ROOT = "json", tmp_path
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lambda: parsed(stream.getvalue())
    root.removeHandler(handler)
    root.setLevel(level)
    clear_contextvars()
