"""A sandbox is emptied of what was played, keeps what was set up, and works again."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from casino.integrations.models import WebhookState
from casino.operations.reset_sandbox import emptied_tables, reset_sandbox
from compliance.siem.models import SiemCursor
from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.managed_models import managed_models
from compliance.trail.actor import Actor
from compliance.trail.log.key_file import make_key
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.models import AuditRecord, SandboxStart, TreeHead
from compliance.trail.tasks import append_to_log_task
from payouts.integrity.verify_schema import schema_differences
from payouts.settlement.models import Settlement
from rounds.models import Round
from tests.casino.api.api_client import Program, issued, json_of
from tests.casino.api.events.event_scenarios import all_events, webhook_to
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.compliance.trail.logs import append
from tests.databases import connected_as
from tests.documents import baccarat_round, lines
from tests.payouts.reconciliation.five_games import deal, play
from tests.processes import wait_until
from tests.signers import give_accounts

HOST: Final = Actor("root on casino-1")
ME: Final = "/api/v1/me"


@pytest.fixture
def sandbox(
    fresh_casino: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> str:
    """A database that was a sandbox from the beginning; gives its URL."""
    settings.SANDBOX, settings.STATIC_ROOT = True, tmp_path
    monkeypatch.setenv("SANDBOX", "true")
    SandboxStart.objects.create(at=timezone.now())
    return fresh_casino


def reset() -> None:
    """As the command does it, as the owner of the tables."""
    call_command("reset_sandbox", yes=True, verbosity=0)


def rows() -> dict[str, int]:
    """The number of rows of each table."""
    return {model._meta.db_table: model._default_manager.count() for model in managed_models()}


def deal_and_settle() -> list[str]:
    """Two rounds; gives the stored references."""
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()
    append(at=timezone.now())
    return sorted(Round.objects.values_list("reference", flat=True))


class TestAReset:
    @pytest.mark.slow
    def test_leaves_an_empty_casino_that_works_again(self, sandbox: str) -> None:
        """Every kind of event; then the same rounds come in again, and everything agrees."""
        play()
        append(at=timezone.now())
        before = rows()

        reset()

        after = rows()
        assert {table: after[table] for table in emptied_tables() if after[table]} == {
            "trail_pendingbatch": after["trail_auditbatch"],
            "trail_pendingrow": after["trail_pendingrow"],
        }
        kept = ("rounds_table", "payouts_reason", "signatures_signingkey", "rounds_stakelimit")
        assert [after[table] for table in kept] == [before[table] for table in kept]
        assert schema_differences() == []
        give_accounts()
        call_command("verify_trail")
        append(at=timezone.now())
        call_command("verify_trail")
        deal(120, seed="reconcile")
        settle()
        append(at=timezone.now())
        call_command("verify_trail")
        assert Round.objects.count() == before["rounds_round"] > 100

    def test_keeps_keys_and_starts_their_events_again(self, sandbox: str) -> None:
        """A program calls with its token; webhooks and SIEM get what happens from then on."""
        open_table()
        key = issued()
        webhook_to("https://studio.example/hook", key=key.key)
        deal_and_settle()
        WebhookState.objects.update(seen=7, attempts=3)
        SiemCursor.objects.create(receiver="syslog", seen=7)
        program = Program(key.token)
        assert [event["data"]["settlement"]["round"] for event in all_events(program)] == [
            "r-1",
            "r-2",
        ]

        reset()

        assert json_of(program.get(ME))["sandbox"] is True
        append(at=timezone.now())
        assert all_events(program) == []
        assert WebhookState.objects.values_list("seen", "attempts").get() == (0, 0)
        assert SiemCursor.objects.get().seen == 0
        deal_and_settle()
        assert len(all_events(program)) == 2

    def test_is_recorded(self, sandbox: str) -> None:
        """Each one, by whoever ran it; earlier records stay, too."""
        reset()
        reset()

        records = AuditRecord.objects.filter(action="SANDBOX_RESET")
        assert records.count() == 2
        assert SandboxStart.objects.count() == 3

    @pytest.mark.slow
    def test_lets_a_worker_sign_the_log_that_begins_again(
        self, sandbox: str, settings: Settings, tmp_path: Path
    ) -> None:
        """It remembers the last head, and signs no shorter log where its own host is no sandbox."""
        settings.LOG_KEY_FILE = str(tmp_path / "log.pem")
        make_key(tmp_path / "log.pem")
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        append_to_log_task()
        before = TreeHead.objects.get().size

        reset()

        settings.SANDBOX = False
        with pytest.raises(CannotAppend, match=f"needed one that continues the {before}"):
            append_to_log_task()
        settings.SANDBOX = True
        append_to_log_task()
        assert TreeHead.objects.get().size < before
        call_command("verify_trail")

    @pytest.mark.slow
    def test_that_is_killed_changes_nothing(self, sandbox: str) -> None:
        """`kill -9` while the tables are already empty for its transaction; then it is repeated."""
        open_table()
        dealt, before = deal_and_settle(), rows()
        with psycopg.connect(sandbox) as other:
            other.execute("LOCK TABLE trail_sandboxstart IN SHARE MODE")  # written last
            command = subprocess.Popen(
                [sys.executable, "manage.py", "reset_sandbox", "--yes"],
                cwd=CLONE,
                env=os.environ,
                stderr=subprocess.DEVNULL,
            )
            wait_until(
                lambda: waits_for('INSERT INTO "trail_sandboxstart"'),
                what="it has emptied the tables",
            )
            command.send_signal(signal.SIGKILL)
            command.wait()
            wait_until(
                lambda: not waits_for('INSERT INTO "trail_sandboxstart"'),
                what="PostgreSQL rolled it back",
            )

        assert (rows(), schema_differences()) == (before, [])
        call_command("verify_trail")
        reset()
        assert not Round.objects.exists()
        assert deal_and_settle() == dealt

    def test_waits_for_a_long_transaction_and_then_gives_up(
        self, sandbox: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Others wait for its locks meanwhile: it does not hold them for long."""
        monkeypatch.setattr("casino.operations.reset_sandbox._TRIES", 1)
        open_table()
        deal_and_settle()

        with psycopg.connect(sandbox) as other:
            other.execute("SELECT FROM rounds_round")
            with pytest.raises(CommandError, match="a moment without long transactions"):
                reset()

        assert Round.objects.count() == 2


class TestARefusedReset:
    def test_where_the_setting_is_missing(self, sandbox: str, settings: Settings) -> None:
        """Even of a sandbox."""
        settings.SANDBOX = False

        with pytest.raises(CommandError, match="found SANDBOX unset"):
            reset()

    def test_of_a_real_casino_for_which_somebody_sets_the_variable(
        self, fresh_casino: str, settings: Settings
    ) -> None:
        """For one command, as the owner of the tables."""
        open_table()
        deal_and_settle()
        settings.SANDBOX = True

        with pytest.raises(CommandError, match="found the database of a real casino"):
            reset()

        assert Round.objects.count() == 2

    def test_by_another_role(self, sandbox: str) -> None:
        """None may empty a table."""
        with (
            connected_as(DatabaseRole.WORKER, sandbox),
            pytest.raises(CommandError, match="needed their owner"),
        ):
            reset()

    @pytest.mark.parametrize("typed", ["", "yes"])
    def test_without_the_databases_name(
        self, sandbox: str, monkeypatch: pytest.MonkeyPatch, typed: str
    ) -> None:
        """Whoever mistakes the host types another name."""
        open_table()
        deal_and_settle()
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        with pytest.raises(CommandError, match="nothing was changed"):
            call_command("reset_sandbox")
        assert Round.objects.count() == 2

        name = connection.settings_dict["NAME"]
        monkeypatch.setattr("sys.stdin", StringIO(f"{name}\n"))
        call_command("reset_sandbox")
        assert not Round.objects.exists()


@pytest.mark.slow
def test_a_demo_takes_its_feed_again(sandbox: str, settings: Settings, tmp_path: Path) -> None:
    """Signed tables, limits, rule sets and studio keys stay in force."""
    settings.VAR_DIR, settings.SOFTWARE_KEYS = tmp_path, True
    settings.DECISION_DELAY = timedelta(0)
    call_command("demo", rounds=200)
    settle(at=by_now())
    append(at=timezone.now())
    settled = Settlement.objects.count()

    reset_sandbox(at=timezone.now(), actor=HOST)
    call_command("ingest", str(tmp_path / "demo" / "demo-feed.ndjson"))
    settle(at=by_now())
    append(at=timezone.now())

    call_command("verify_trail")
    assert Settlement.objects.count() == settled > 0


def waits_for(statement: str) -> bool:
    """Whether a statement that begins so waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND query LIKE %s",
            [f"{statement}%"],
        )
        return cursor.fetchone() is not None
