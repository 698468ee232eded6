"""Log lines as JSON: the ids of request and task are in them, and nobody's name."""

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from celery.signals import task_postrun, task_prerun
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from casino.celery import app
from casino.workers import logged_tasks
from rounds.models import Customer, EarlierTable, QueuedRound, Table
from tests.casino.api.api_client import Program, issued
from tests.casino.api.web_server import serving
from tests.casino.backoffice.conftest import person
from tests.casino.logged_lines import PERSONAL, Lines, finished
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines
from tests.processes import Worker, wait_until


@pytest.mark.django_db
class TestRequests:
    def test_of_people_have_route_and_id(self, logged: Lines) -> None:
        """Not who it was, nor whose page it is."""
        giulia = User.objects.create_user("giulia", first_name="Giulia", last_name="Rossi")
        browser = Client(REMOTE_ADDR="192.0.2.7")
        browser.force_login(giulia)

        answer = browser.get("/admin/customers/1/bets/?name=Rossi")

        line = finished(logged())
        assert line["route"] == "admin/customers/<int:pk>/bets/"
        assert (line["method"], line["user"]) == ("GET", "session")
        assert (line["status"], len(line["request_id"])) == (answer.status_code, 36)
        assert line["seconds"] > 0
        assert {"timestamp", "level", "event"} < line.keys()

    def test_that_are_refused_have_the_account(self, logged: Lines) -> None:
        """Its number, as audit records name it; no other line has one."""
        browser, auditor = Client(), person("auditor")
        browser.force_login(auditor)

        statuses = [browser.get(f"/admin/{page}/").status_code for page in ("jsi18n", "people")]

        found = [line for line in logged() if line["event"] == "answered"]
        assert statuses == [200, 403]
        assert [line.get("account") for line in found] == [None, f"user:{auditor.pk}"]

    def test_of_programs_have_their_key(self, logged: Lines) -> None:
        """Its handle, which is no secret, and the number that the program was answered."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        key = issued()

        answer = Program(key.token).get("/api/v1/rounds/r-1")

        line = finished(logged())
        assert (line["user"], line["key"]) == ("key", key.key.handle)
        assert line["request_id"] == answer["Request-Id"]
        assert (line["route"], line["round"]) == ("api/v1/rounds/<str:round>", "r-1")

    def test_of_nowhere_hide_their_path(self, logged: Lines) -> None:
        """Django names the path of each request that fails."""
        by_api = Client().get("/api/v1/customers/p-1/bets")
        page = Client().get("/nowhere/giulia/")

        found = logged()

        assert [line["event"] for line in found if line["logger"] == "django.request"]
        ids = {line["request_id"] for line in found if line["event"] == "answered"}
        assert page["Request-Id"] in ids
        assert (by_api.status_code, page.status_code, len(ids)) == (404, 404, 2)
        assert {line["user"] for line in found} == {"visitor"}


class TestTasks:
    @pytest.fixture(autouse=True)
    def _listening(self) -> Iterator[None]:
        """As in a worker. Loading the tasks sets logging up anew."""
        app.loader.import_default_modules()
        logged_tasks.listen()
        yield
        task_prerun.disconnect(logged_tasks.begin)
        task_postrun.disconnect(logged_tasks.end)

    @pytest.mark.django_db
    def test_name_the_round_that_fails(self, logged: Lines) -> None:
        """By its id; nobody signed its rule set."""
        table = Table.objects.create(code="bac-1", name="bac-1", rules="baccarat/1")
        EarlierTable.objects.create(table=table)
        ingest(lines(baccarat_round("r-1")))
        assert Customer.objects.exists()

        task = app.tasks["payouts.settle_rounds"].apply(throw=True)
        logging.getLogger("later").warning("no task")

        found = logged()
        failed = [line for line in found if "round" in line]
        assert failed
        assert {line["round"] for line in failed} == {str(QueuedRound.objects.get().round_id)}
        assert {(line["task"], line["task_id"]) for line in failed} == {
            ("payouts.settle_rounds", task.id)
        }
        assert "UnsignedRulesError" in failed[0]["exception"]
        assert found[-1].keys() == {"event", "level", "logger", "timestamp"}


@pytest.mark.django_db
def test_values_of_a_refused_row_are_not_logged(logged: Lines) -> None:
    """PostgreSQL describes them in the error; the message stays."""
    name = PERSONAL[0]
    User.objects.create_user(name)
    try:
        with transaction.atomic():
            User.objects.create_user(name)
    except IntegrityError:
        logging.getLogger("any").exception("refused")

    [line] = logged()

    assert "violates unique constraint" in line["exception"]
    assert "\nDETAIL: not logged" in line["exception"]


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_processes_write_them(
    fresh_casino: str, broker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A web host and a worker, with LOG_FORMAT in their environment."""
    monkeypatch.setenv("LOG_FORMAT", "json")
    with serving(tmp_path, processes=1) as (address, _pid), urlopen(f"{address}/api/v1/"):
        pass
    table = Table.objects.create(code="bac-1", name="bac-1", rules="baccarat/1")
    EarlierTable.objects.create(table=table)
    ingest(lines(baccarat_round("r-1")))
    worker = Worker(environment=os.environ, folder=tmp_path)
    worker.start()
    wait_until(lambda: '"round"' in worker.log.read_text(), what="the worker logs the round")
    worker.stop()

    answered = objects_in(tmp_path / "web.log")
    tried = [line for line in objects_in(worker.log) if "round" in line]

    assert {line["route"] for line in answered if line["event"] == "answered"} == {"api/v1/"}
    assert {line["task"] for line in tried} == {"payouts.settle_rounds"}
    assert reverse("admin:index") not in (tmp_path / "web.log").read_text()


def objects_in(log: Path) -> list[dict[str, Any]]:
    """The lines of a log that are objects; gunicorn and Celery greet in words of their own."""
    text = log.read_text().splitlines()
    return [json.loads(line) for line in text if line.startswith("{")]
