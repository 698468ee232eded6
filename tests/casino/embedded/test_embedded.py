"""The embedded servers: started once, reused, restarted after a crash."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg
import pytest
from redis import Redis

from casino.embedded import CannotStart, Running, programs, start_postgres, start_valkey
from casino.embedded.addresses import valkey_socket
from casino.embedded.server_paths import CLONE

Start = Callable[[Path], Running]


def postgres(folder: Path) -> Running:
    """A durable PostgreSQL, as `make run` starts it."""
    return start_postgres(folder / "postgres", durable=True)


def valkey(folder: Path) -> Running:
    """A Valkey."""
    return start_valkey(folder / "valkey")


BOTH: Final = pytest.mark.parametrize("start", [postgres, valkey])


@BOTH
class TestAServer:
    @pytest.mark.slow
    def test_answers_on_its_socket_and_ends_when_it_is_stopped(
        self, start: Start, folder: Path
    ) -> None:
        """It is gone after the stop."""
        running = start(folder)

        running.stop()

        assert running.has_ended()

    @pytest.mark.slow
    def test_that_runs_is_reused(self, start: Start, folder: Path) -> None:
        """Several starters get one server."""
        first = start(folder)
        second = start(folder)

        pids = {first.pid, second.pid}
        first.stop()

        assert len(pids) == 1
        assert (first.started, second.started) == (True, False)

    @pytest.mark.slow
    def test_restarts_after_a_kill(self, start: Start, folder: Path) -> None:
        """Despite lock file, socket and orphans."""
        first = start(folder)
        first.kill()

        second = start(folder)
        second.stop()

        assert second.started
        assert second.pid != first.pid

    @pytest.mark.slow
    def test_changes_the_mode_of_no_folder_above_its_own(self, start: Start, folder: Path) -> None:
        """Parent folders keep owner and mode."""
        above = [folder, *folder.parents]
        before = [(path.stat().st_mode, path.stat().st_uid) for path in above]

        start(folder).stop()

        assert [(path.stat().st_mode, path.stat().st_uid) for path in above] == before


class TestPostgreSQL:
    @pytest.mark.slow
    def test_keeps_what_was_committed_when_it_is_killed(self, folder: Path) -> None:
        """A committed row survives kill -9."""
        first = postgres(folder)
        with psycopg.connect(first.url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS cents")
        first.kill()

        second = postgres(folder)
        with psycopg.connect(second.url) as connection:
            [row] = connection.execute("SELECT cents FROM kept").fetchall()
        second.stop()

        assert row == (7,)

    @pytest.mark.slow
    def test_listens_on_no_network_address(self, folder: Path) -> None:
        """Only on a socket in its folder."""
        running = postgres(folder)
        with psycopg.connect(running.url) as connection:
            [row] = connection.execute("SHOW listen_addresses").fetchall()
        running.stop()

        assert row == ("",)

    def test_that_is_missing_is_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The error says what was searched and what to do."""
        monkeypatch.setattr(programs, "_package_folder", lambda _package: None)
        monkeypatch.setattr(programs, "_PACKAGED", Path("/nowhere"))
        monkeypatch.delenv("PG_BINDIR", raising=False)
        monkeypatch.setenv("PATH", "/nowhere")

        with pytest.raises(CannotStart, match=r"No PostgreSQL 15 to 18 was found.*DATABASE_URL"):
            programs.find_postgres()


class TestValkey:
    def test_keeps_messages_when_it_is_stopped(self, folder: Path) -> None:
        """The append-only file is enabled."""
        first = valkey(folder)
        Redis(unix_socket_path=str(valkey_socket(first.place))).lpush("queue", "message")
        first.stop()

        second = valkey(folder)
        waiting = Redis(unix_socket_path=str(valkey_socket(second.place))).lrange("queue", 0, -1)
        second.stop()

        assert waiting == [b"message"]

    def test_that_is_missing_is_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The error says what was searched and what to do."""
        monkeypatch.setattr(programs, "_package_folder", lambda _package: None)
        monkeypatch.setenv("PATH", "/nowhere")

        with pytest.raises(CannotStart, match=r"No Valkey was found.*CELERY_BROKER_URL"):
            programs.find_valkey()


class TestSeveralStartersAtOnce:
    @pytest.mark.slow
    @pytest.mark.parametrize("server", ["postgres", "valkey"])
    def test_get_one_server(self, server: str, folder: Path) -> None:
        """Five processes start it at once and get one process id."""
        script = (
            "import sys; from pathlib import Path; from casino.embedded import *;"
            "folder = Path(sys.argv[1]);"
            "options = {'durable': True} if sys.argv[2] == 'postgres' else {};"
            "start = start_postgres if sys.argv[2] == 'postgres' else start_valkey;"
            "print(start(folder / sys.argv[2], detached=True, **options).pid)"
        )
        command = [sys.executable, "-W", "ignore", "-c", script, str(folder), server]

        starters = [
            subprocess.Popen(command, cwd=CLONE, stdout=subprocess.PIPE, text=True)
            for _ in range(5)
        ]
        pids = {starter.communicate()[0].strip() for starter in starters}
        {"postgres": postgres, "valkey": valkey}[server](folder).stop()

        assert len(pids) == 1
        assert pids != {""}


class TestTheCommandLine:
    def test_leaves_a_server_alone_whose_address_the_environment_names(self) -> None:
        """With DATABASE_URL or CELERY_BROKER_URL that one is not started."""
        environment = {
            **os.environ,
            "DATABASE_URL": "postgres://elsewhere/sabot",
            "CELERY_BROKER_URL": "redis://elsewhere",
        }

        completed = subprocess.run(
            [sys.executable, "-m", "casino.embedded", "start"],
            cwd=CLONE,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )

        assert completed.stdout.splitlines() == [
            "PostgreSQL: not started, because DATABASE_URL is set",
            "Valkey: not started, because CELERY_BROKER_URL is set",
        ]
