"""A PostgreSQL cluster on disk: its account, data folder and creation."""

import os
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.account import Account, identity_of, owner_of, require_own, service_account
from casino.embedded.addresses import ROLE, postgres_socket
from casino.embedded.errors import CannotStart
from casino.embedded.programs import PostgresPrograms, find_postgres, reachable_by
from casino.embedded.server_paths import ServerPaths, fallback_folder

_ENV = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "TZ": "UTC",
}  # without variables of the caller such as PGHOST and PGDATA
_BUILTIN_LOCALE_SINCE = 17


@dataclass(frozen=True)
class Cluster:
    """One data folder, the programs for it, and the account that runs them."""

    place: ServerPaths
    data: Path
    account: Account | None
    programs: PostgresPrograms

    @property
    def env(self) -> dict[str, str]:
        """The environment of its programs."""
        return _ENV

    def run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run one of the programs to its end."""
        return subprocess.run(
            [self.programs[program], *arguments],
            cwd="/",
            env=_ENV,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **identity_of(self.account),
        )

    def make(self) -> None:
        """Create the cluster unless it exists, atomically.

        Raises CannotStart if it exists in another major version, or cannot be created.
        """
        version = self.data / "PG_VERSION"
        if version.exists():
            self._require_version(int(version.read_text()))
            return
        unfinished = self.data.with_name(f"{self.data.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        self._make_folder(unfinished)
        completed = self.run("initdb", "-D", unfinished, "-U", ROLE, *self._initdb_options())
        if completed.returncode != 0:
            raise CannotStart(
                f"PostgreSQL could not create its data folder: {completed.stderr.strip()}"
            )
        with suppress(FileNotFoundError):
            self.data.rmdir()  # an empty folder; anything else raises
        unfinished.rename(self.data)

    def forget_dead_postmaster(self) -> None:
        """Remove lock files whose process id now belongs to another program, as after a reboot.

        PostgreSQL would take that program for a running server and refuse to start. Lock files of a
        killed server stay: by them PostgreSQL detects orphans that use its shared memory. Call it
        under the lock, when nothing listens on the socket.
        """
        for lock in (self.data / "postmaster.pid", Path(f"{postgres_socket(self.place)}.lock")):
            with suppress(FileNotFoundError):
                pid = lock.read_text().partition("\n")[0]
                if not _may_be_postgres(pid):
                    lock.unlink()

    def _make_folder(self, folder: Path) -> None:
        if self.data == self.place.fallback_data:
            fallback_folder().mkdir(mode=0o711, exist_ok=True)
            fallback_folder().chmod(0o711)  # independent of the umask
        folder.mkdir(mode=0o700)
        if self.account:
            os.chown(folder, self.account.uid, self.account.gid)

    def _initdb_options(self) -> list[str]:
        """Checksums, UTF-8, and the same collation on all machines."""
        options = ["-k", "-E", "UTF8", "-A", "trust", "--no-instructions"]
        if self.programs.version < _BUILTIN_LOCALE_SINCE:
            return [*options, "--locale=C.UTF-8"]
        return [*options, "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

    def _require_version(self, version: int) -> None:
        if version != self.programs.version:
            raise CannotStart(
                f"{self.data} was made by PostgreSQL {version}, but the programs in "
                f"{self.programs.folder} are version {self.programs.version}: set PG_BINDIR to a "
                f"PostgreSQL {version}, or remove that folder to start over."
            )


def find_cluster(place: ServerPaths) -> Cluster:
    """The cluster of a data folder, existing or not.

    Raises CannotStart: no programs, no account to run it, or data of another user.
    """
    account, data = _account_and_data(place)
    return Cluster(place, data, account, reachable_by(account, find_postgres()))


def _account_and_data(place: ServerPaths) -> tuple[Account | None, Path]:
    """The account that runs the server, and its data folder."""
    if os.geteuid() != 0:
        require_own(place.data)
        return None, place.data
    for data in (place.data, place.fallback_data):
        if owner := owner_of(data):
            return owner, data
    account = service_account()
    reached = account.may_enter(place.data.parent)
    return account, place.data if reached else place.fallback_data


def _may_be_postgres(pid: str) -> bool:
    """Whether a process id is PostgreSQL's, or of no process."""
    try:
        return Path(f"/proc/{int(pid)}/comm").read_text().strip() == "postgres"
    except ValueError:
        return False
    except (FileNotFoundError, ProcessLookupError):
        return True
