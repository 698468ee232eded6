"""Accounts and data folders of the embedded servers, as root and as an ordinary user."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from casino.embedded import CannotStart, account, postgres, start_postgres, start_valkey
from casino.embedded.account import owner_of, service_account
from casino.embedded.addresses import postgres_socket
from casino.embedded.cluster import find_cluster
from casino.embedded.process import listener, spawn
from casino.embedded.programs import find_valkey
from casino.embedded.server_paths import CLONE, ServerPaths, fallback_folder

pytestmark = pytest.mark.slow  # each starts a PostgreSQL of its own

ROOT: Final = os.geteuid() == 0
ORDINARY: Final = service_account().uid if ROOT else os.geteuid()

# Everything is imported while we may read it; then root becomes an ordinary user for good.
START_BOTH: Final = """
import encodings.idna, json, os, sys
from pathlib import Path
from casino.embedded import start_postgres, start_valkey
folder, user = Path(sys.argv[1]), int(sys.argv[2])
if os.geteuid() != user:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
servers = [start_postgres(folder / "postgres", durable=True), start_valkey(folder / "valkey")]
owners = [Path(f"/proc/{server.pid}").stat().st_uid for server in servers]
for server in servers:
    server.stop()
print(json.dumps({"owners": owners, "ended": [server.has_ended() for server in servers]}))
"""


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A folder below one that only its owner may enter."""
    home = folder / "home"
    (home / "clone").mkdir(parents=True)
    home.chmod(0o700)
    yield home / "clone"
    shutil.rmtree(ServerPaths(home / "clone" / "postgres").fallback_data, ignore_errors=True)
    with suppress(OSError):  # not there, or in use by this clone itself
        fallback_folder().rmdir()


def programs_for_everybody(folder: Path) -> dict[str, str]:
    """An environment with server programs that any user can run."""
    postgres = find_cluster(ServerPaths(folder / "postgres")).programs.folder
    valkey = shutil.copy2(find_valkey(), folder / "valkey-server")
    return {**os.environ, "PG_BINDIR": str(postgres), "PATH": f"{Path(valkey).parent}:{os.defpath}"}


def start_both_as_ordinary_user(folder: Path) -> dict[str, list[int]]:
    """Starts and stops both servers as an ordinary user; returns owners and whether they ended."""
    completed = subprocess.run(
        [sys.executable, "-c", START_BOTH, str(folder), str(ORDINARY)],
        cwd=CLONE,
        env=programs_for_everybody(folder.parent.parent),
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    seen: dict[str, list[int]] = json.loads(completed.stdout)
    return seen


class TestAnOrdinaryUser:
    def test_runs_both_servers_as_themselves_in_a_private_home(self, closed: Path) -> None:
        """With the clone in a home of mode 0700 (issue 1, item 2)."""
        home = closed.parent
        for path in (home, closed):
            os.chown(path, ORDINARY, -1)

        seen = start_both_as_ordinary_user(closed)

        assert seen == {"owners": [ORDINARY, ORDINARY], "ended": [True, True]}
        assert home.stat().st_mode & 0o777 == 0o700
        assert (closed / "postgres" / "PG_VERSION").exists()

    def test_remains_the_owner_of_what_root_starts_again(
        self, closed: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """After ``sudo make run`` the data can still be used without it."""
        for path in (closed.parent, closed):
            os.chown(path, ORDINARY, -1)
        start_both_as_ordinary_user(closed)
        monkeypatch.setenv("PATH", programs_for_everybody(closed.parent.parent)["PATH"])

        again = start_valkey(closed / "valkey")
        pid_owner = Path(f"/proc/{again.pid}").stat().st_uid
        again.stop()

        assert (pid_owner, (closed / "valkey").stat().st_uid) == (ORDINARY, ORDINARY)

    def test_fails_with_a_message_for_data_of_another_user(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Foreign data are not used."""
        (folder / "postgres").mkdir()
        monkeypatch.setattr(os, "geteuid", lambda: ORDINARY + 1)

        with pytest.raises(CannotStart, match=r"belongs to user id \d+ and you are"):
            start_postgres(folder / "postgres", durable=True)


class TestAPrivateHome:
    def test_stays_private_and_the_data_lie_where_the_server_can_reach_them(
        self, closed: Path
    ) -> None:
        """Only root needs data outside of a private home."""
        home = closed.parent
        place = ServerPaths(closed / "postgres")

        running = start_postgres(place.data, durable=True)
        pid_owner = Path(f"/proc/{running.pid}").stat().st_uid
        running.stop()

        assert home.stat().st_mode & 0o777 == 0o700
        assert running.data == (place.fallback_data if ROOT else place.data)
        assert (running.data / "PG_VERSION").exists()
        assert pid_owner != 0

    def test_is_found_again_with_its_data(self, closed: Path) -> None:
        """The next start uses the same data."""
        first = start_postgres(closed / "postgres", durable=True)
        first.stop()
        created_at = (first.data / "PG_VERSION").stat().st_mtime_ns

        second = start_postgres(closed / "postgres", durable=True)
        second.stop()

        assert second.data == first.data
        assert (second.data / "PG_VERSION").stat().st_mtime_ns == created_at


class TestRoot:
    def test_fails_with_a_message_without_a_service_account(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No account is created."""
        monkeypatch.setattr(account, "SERVICE_ACCOUNTS", ("no-such-account",))

        with pytest.raises(CannotStart, match=r"none of the accounts no-such-account"):
            service_account()


class TestWhatWasLeftBehind:
    def test_by_an_interrupted_first_start_does_no_harm(self, folder: Path) -> None:
        """PG_VERSION is written first, which must not pass for complete data."""
        half = folder / "postgres.unfinished"
        half.mkdir()
        (half / "PG_VERSION").write_text("18\n")

        running = start_postgres(folder / "postgres", durable=True)
        running.stop()

        assert running.started
        assert not half.exists()

    def test_by_a_reboot_does_not_pass_for_a_running_server(self, folder: Path) -> None:
        """The process id of the lock file belongs to another program."""
        first = start_postgres(folder / "postgres", durable=True)
        first.kill()
        assert first.data.joinpath("postmaster.pid").exists()
        other = spawn(
            ["sleep", "600"],
            log=folder / "other.log",
            ends_with_us=signal.SIGKILL,
            account=owner_of(first.data) if ROOT else None,
        )
        lines = (first.data / "postmaster.pid").read_text().splitlines()
        (first.data / "postmaster.pid").write_text("\n".join([str(other.pid), *lines[1:]]))

        second = start_postgres(folder / "postgres", durable=True)
        second.stop()
        other.kill()
        other.wait()

        assert second.started

    def test_by_a_kill_is_left_for_postgresql_to_judge(self, folder: Path) -> None:
        """Orphans may still use the shared memory."""
        first = start_postgres(folder / "postgres", durable=True)
        first.kill()

        find_cluster(first.place).forget_dead_postmaster()
        left = (first.data / "postmaster.pid").exists()
        start_postgres(folder / "postgres", durable=True).stop()

        assert left

    def test_by_another_major_version_is_named_and_kept(self, folder: Path) -> None:
        """The data are not touched."""
        running = start_postgres(folder / "postgres", durable=True)
        running.stop()
        (running.data / "PG_VERSION").write_text("14\n")

        with pytest.raises(CannotStart, match=r"was made by PostgreSQL 14.*PG_BINDIR"):
            start_postgres(folder / "postgres", durable=True)

        assert (running.data / "base").exists()

    def test_by_a_stranger_where_the_socket_belongs_is_refused(self, folder: Path) -> None:
        """A folder that others may enter is not used."""
        sockets = ServerPaths(folder / "postgres").sockets
        sockets.mkdir()
        sockets.chmod(0o777)
        (sockets / "theirs").touch()

        try:
            with pytest.raises(CannotStart, match=r"should be a folder that only user id"):
                start_postgres(folder / "postgres", durable=True)
            assert sockets.stat().st_mode & 0o777 == 0o777
        finally:
            shutil.rmtree(sockets)


class TestAServerThatIsNotDetached:
    def test_ends_with_its_parent(self, folder: Path) -> None:
        """No server survives kill -9 of `make run`."""
        script = (
            "import os, signal, sys; from pathlib import Path;"
            "from casino.embedded import start_postgres;"
            "start_postgres(Path(sys.argv[1]), durable=True);"
            "os.kill(os.getpid(), signal.SIGKILL)"
        )
        place = ServerPaths(folder / "postgres")

        starter = subprocess.run(
            [sys.executable, "-c", script, str(place.data)], cwd=CLONE, check=False
        )
        again = start_postgres(place.data, durable=True)
        again.stop()

        assert starter.returncode == -signal.SIGKILL
        assert again.started
        assert listener(postgres_socket(place)) is None


class TestAStartThatIsInterrupted:
    def test_leaves_no_server_behind(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ctrl-C between the start and the first use."""
        place = ServerPaths(folder / "postgres")

        def interrupt(_cluster: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(postgres, "_make_database", interrupt)
            with pytest.raises(KeyboardInterrupt):
                start_postgres(place.data, durable=True, detached=True)

        assert listener(postgres_socket(place)) is None
        assert not (find_cluster(place).data / "postmaster.pid").exists()
