"""``manage.py doctor``: each check with something really broken."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from casino.operations.checks.check_result import State, run_check
from casino.operations.doctor import CHECKS
from compliance.storage.database_roles.role import DatabaseRole
from payouts.reconciliation.models import ReconcileRun
from payouts.tasks import NIGHTLY_RECONCILIATION, recheck_share_task
from tests.attacks.integrity.stops import stopped
from tests.casino.operations.check_results import ERROR, OK, WARNING, found
from tests.casino_in_play import list_rule_sets, open_table
from tests.databases import connected_to
from tests.processes import Worker, wait_until

NOWHERE: Final = "postgres://secret-role:secret-word@127.0.0.1:1/nowhere"


def test_every_check_is_broken() -> None:
    """Here, or in one of the other modules. A new one needs its test."""
    names = ["test_doctor", "test_doctor_host", "test_encryption", "test_verify_release"]
    names += ["test_sign_on_checks", "test_clear_text", "test_witness_checks", "test_bucket_check"]
    tests = (Path(__file__).with_name(f"{name}.py") for name in names)
    text = "".join(file.read_text() for file in tests)

    assert [name for name in CHECKS if text.count(f'"{name}"') == 0] == []


@pytest.mark.usefixtures("fresh_casino")
class TestTheDatabase:
    def test_that_is_not_reached(self) -> None:
        """Every check that needs it is an error, and none ends the others."""
        with connected_to(NOWHERE):
            assert found("database") == (ERROR, "no answer")
            assert found("database version") == (ERROR, "it cannot be checked")

        assert found("database")[0] is OK

    def test_after_a_failed_check_of_integrity(self, settings: Settings) -> None:
        """A warning if the check is left out of INTEGRITY_STOPS."""
        before = found("settlement stops")
        stopped()

        assert (before, found("settlement stops")) == ((OK, "none open"), (ERROR, "open: books"))
        settings.INTEGRITY_STOPS = []
        assert found("settlement stops")[0] is WARNING

    def test_of_which_no_share_is_verified(self) -> None:
        """Until a worker has taken a turn."""
        before = found("random share")
        recheck_share_task()

        assert before == (ERROR, "not verified lately")
        assert found("random share")[0] is OK

    def test_of_a_version_that_is_too_old(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Or newer than any that was tested."""
        supported = found("database version")[0]
        monkeypatch.setattr("casino.operations.checks.database._NEWEST", 14)
        newer = found("database version")[0]
        monkeypatch.setattr("casino.operations.checks.database._OLDEST", 99)

        assert (supported, newer, found("database version")[0]) == (OK, WARNING, ERROR)

    def test_behind_a_pool_without_its_settings(self) -> None:
        """PostgreSQL's own, as a pool has them without ``connect_query``."""
        direct = found("database pool")
        connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = True
        without = found("database pool")
        change("SET jit = off; SET plan_cache_mode = force_generic_plan")
        complete = found("database pool")
        connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = False

        assert direct == (OK, "no pool")
        assert without == (WARNING, "jit on, auto")
        assert complete == (OK, "jit off, force_generic_plan")

    def test_without_a_migration(self) -> None:
        """The last one of the rounds."""
        assert found("migrations")[0] is OK

        change("DELETE FROM django_migrations WHERE app = 'rounds' AND name ~ '^0027'")

        assert found("migrations") == (ERROR, "1 migrations that are not applied")

    def test_that_is_no_sandbox_where_the_setting_says_so(self, settings: Settings) -> None:
        """And the other way round."""
        settings.SANDBOX = True
        before = found("sandbox")
        change("INSERT INTO trail_sandboxstart (at) VALUES (now())")

        assert before == (ERROR, "that of a real casino")
        assert found("sandbox") == (OK, "that of a sandbox")
        settings.SANDBOX = False
        assert found("sandbox") == (ERROR, "that of a sandbox")

    def test_without_a_role(self, settings: Settings) -> None:
        """The roles of another prefix."""
        assert found("database roles") == (OK, "6 roles")

        settings.DATABASE_ROLE_PREFIX = "nobody_"

        assert found("database roles") == (ERROR, "0 roles")

    def test_without_a_guard(self) -> None:
        """A trigger that somebody disabled; rights are a check of their own."""
        assert found("guards")[0] is OK

        change("ALTER TABLE payouts_casestep DISABLE TRIGGER ALL")

        assert found("guards")[0] is ERROR
        assert found("grants")[0] is OK

    def test_with_a_right_too_many(self) -> None:
        """The web role may settle."""
        change("GRANT INSERT ON payouts_settlement TO sabot_web")

        assert found("grants") == (ERROR, "1 that differ from the code")
        assert found("guards")[0] is OK

    @pytest.mark.parametrize(("seconds", "state"), [(0, OK), (10, WARNING), (45, ERROR)])
    def test_with_another_time(
        self, monkeypatch: pytest.MonkeyPatch, seconds: int, state: State
    ) -> None:
        """This host's clock is ahead."""
        ahead = timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda: datetime.now(UTC) + ahead)

        assert found("clock")[0] is state

    def test_with_rule_sets_that_nobody_signed(self) -> None:
        """Their rounds wait."""
        before = found("rule sets")
        list_rule_sets()

        assert before[0] is ERROR
        assert "baccarat/1" in before[1]
        assert found("rule sets")[0] is OK


@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
class TestTheBroker:
    def test_that_is_not_reached(self, broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its password is in no line."""
        assert found("broker")[0] is OK

        monkeypatch.setenv("CELERY_BROKER_URL", "redis://:secret-word@127.0.0.1:1/0")

        assert found("broker") == (ERROR, "no answer")
        assert "secret" not in str(run_check(CHECKS["broker"]))

    @pytest.mark.slow
    def test_without_a_worker_for_some_queue(
        self, fresh_casino: str, broker: str, tmp_path: Path
    ) -> None:
        """Each of the four has its own."""
        nobody = found("workers")
        workers = [
            Worker(environment=os.environ, folder=_made(tmp_path / role), role=role)
            for role in DatabaseRole
            if role not in (DatabaseRole.READER, DatabaseRole.SIEM)
        ]
        for worker in workers[:2]:
            worker.start()
        others = (ERROR, "none on sabot-feed, sabot-exporter")
        wait_until(lambda: found("workers") == others, what="two of them answer")
        for worker in workers[2:]:
            worker.start()
        wait_until(lambda: found("workers")[0] is OK, what="each queue has a worker")
        for worker in workers:
            worker.stop()

        assert nobody == (ERROR, "none on sabot, sabot-feed, sabot-exporter, sabot-web")


@pytest.mark.django_db
class TestBeat:
    def test_that_never_ran_is_a_new_installation_or_missing(self) -> None:
        """A person's reconciliation does not count."""
        ReconcileRun.objects.create(started_at=timezone.now(), actor="Giulia")

        assert found("beat") == (WARNING, "none yet")

    @pytest.mark.parametrize(("hours", "state"), [(20, OK), (30, ERROR)])
    def test_that_ran(self, hours: int, state: State) -> None:
        """It begins a reconciliation each night."""
        began = timezone.now() - timedelta(hours=hours)
        ReconcileRun.objects.create(started_at=began, actor=NIGHTLY_RECONCILIATION.name)

        assert found("beat") == (state, f"the last began {hours} hours ago")


class TestTheCommand:
    def test_has_a_line_for_each_check(
        self, settings: Settings, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """State, name, found and needed, and what to do; then the number of each."""
        settings.DEBUG, settings.BROWSER_KEYS, settings.SOFTWARE_KEYS = False, True, False
        todo = "give people security keys, then unset BROWSER_KEYS"
        chosen = ["--only", "debug pages", "--only", "browser keys", "--only", "software keys"]

        call_command("doctor", *chosen)

        assert capsys.readouterr().out.splitlines() == [
            "ok      debug pages         found off; needed off",
            f"warning browser keys        found accepted; needed authenticators -> {todo}",
            "ok      software keys       found refused; needed refused",
            "2 ok, 1 warning, 0 error",
        ]

    def test_fails_if_one_is_an_error(self, settings: Settings) -> None:
        """With status 1."""
        settings.DEBUG = True

        with pytest.raises(CommandError, match="1 ok, 0 warning, 1 error") as failure:
            call_command("doctor", "--only", "debug pages", "--only", "disk")

        assert failure.value.returncode == 1

    @pytest.mark.slow
    @pytest.mark.usefixtures("fresh_casino")
    def test_writes_nothing(self) -> None:
        """Whatever it finds."""
        open_table()
        tables = connection.introspection.table_names()
        before = [count(table) for table in tables]

        with pytest.raises(CommandError):
            call_command("doctor")

        assert [count(table) for table in tables] == before


def change(statement: str) -> None:
    """Changes the database as its owner."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def count(table: str) -> int:
    """The number of rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')
        [number] = cursor.fetchone()
    return int(number)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
