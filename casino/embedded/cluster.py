"""A PostgreSQL cluster on disk: who runs it, where it lies, how it is made."""

import os
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.account import Account, first_lent_account, identity_of, owner_of, require_own
from casino.embedded.addresses import ROLE, postgres_socket
from casino.embedded.failures import CannotStart
from casino.embedded.places import Place, shelter
from casino.embedded.programs import PostgresPrograms, find_postgres, reachable_by

_ENV = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "TZ": "UTC",
}  # nothing of the caller's: no PGHOST, no PGDATA
_BUILTIN_LOCALE_SINCE = 17


@dataclass(frozen=True)
class Cluster:
    """One data folder, the programs for it, and the account that runs them."""

    place: Place
    data: Path
    account: Account | None
    programs: PostgresPrograms

    @property
    def env(self) -> dict[str, str]:
        """The environment of its programs."""
        return _ENV

    def run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run one of the programs to its end; the caller looks at the result."""
        return subprocess.run(  # noqa: S603  the programs were found by us
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
        """Make the cluster unless it exists. An interrupted attempt leaves nothing half made.

        Raises CannotStart when it exists in another major version, or cannot be made.
        """
        version = self.data / "PG_VERSION"
        if version.exists():
            self._require_version(int(version.read_text()))
            return
        unfinished = self.data.with_name(f"{self.data.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        self._make_folder(unfinished)
        done = self.run("initdb", "-D", unfinished, "-U", ROLE, *self._initdb_options())
        if done.returncode != 0:
            raise CannotStart(f"PostgreSQL could not make its data folder: {done.stderr.strip()}")
        with suppress(FileNotFoundError):
            self.data.rmdir()  # an empty folder may stand there; anything else stays and is named
        unfinished.rename(self.data)

    def forget_dead_postmaster(self) -> None:
        """Remove lock files whose process id was taken by another program since, as after a reboot.

        PostgreSQL itself would take that program for a running server and refuse to start. Those of
        a server that was killed stay: they tell PostgreSQL whether orphans still use its memory.
        Only called when nobody listens on the socket, under the place's lock.
        """
        for lock in (self.data / "postmaster.pid", Path(f"{postgres_socket(self.place)}.lock")):
            with suppress(FileNotFoundError):
                pid = lock.read_text().partition("\n")[0]
                if not _may_be_postgres(pid):
                    lock.unlink()

    def _make_folder(self, folder: Path) -> None:
        if self.data == self.place.sheltered_data:
            shelter().mkdir(mode=0o711, exist_ok=True)
            shelter().chmod(0o711)  # whatever the umask: it is ours, and the account passes it
        folder.mkdir(mode=0o700)
        if self.account:
            os.chown(folder, self.account.uid, self.account.gid)

    def _initdb_options(self) -> list[str]:
        """Checksums, UTF-8, and one order of text wherever the cluster is made."""
        options = ["-k", "-E", "UTF8", "-A", "trust", "--no-instructions"]
        if self.programs.version < _BUILTIN_LOCALE_SINCE:
            return [*options, "--locale=C.UTF-8"]
        return [*options, "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

    def _require_version(self, found: int) -> None:
        if found != self.programs.version:
            raise CannotStart(
                f"{self.data} was made by PostgreSQL {found}, but the programs in "
                f"{self.programs.folder} are version {self.programs.version}: set PG_BINDIR to a "
                f"PostgreSQL {found}, or remove that folder to begin anew."
            )


def find_cluster(place: Place) -> Cluster:
    """The cluster of a place, made or not yet.

    Raises CannotStart: no programs, no account for root to lend, or somebody else's data.
    """
    account, data = _lodge(place)
    return Cluster(place, data, account, reachable_by(account, find_postgres()))


def _lodge(place: Place) -> tuple[Account | None, Path]:
    """Who runs the server, and where its data lie."""
    if os.geteuid() != 0:
        require_own(place.data)
        return None, place.data
    for data in (place.data, place.sheltered_data):
        if owner := owner_of(data):
            return owner, data
    account = first_lent_account()
    reached = account.may_enter(place.data.parent)
    return account, place.data if reached else place.sheltered_data


def _may_be_postgres(pid: str) -> bool:
    """Whether a process id is PostgreSQL's, or nobody's any more."""
    try:
        return Path(f"/proc/{int(pid)}/comm").read_text().strip() == "postgres"
    except ValueError:
        return False
    except (FileNotFoundError, ProcessLookupError):
        return True
