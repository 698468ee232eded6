"""The paths of an embedded server: data, socket, log and lock."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from casino.embedded.account import Account
from casino.embedded.errors import CannotStart

CLONE = Path(__file__).resolve().parents[2]

# A Unix socket's path may have 107 bytes, which a clone's path may exceed. The folder is
# independent of TMPDIR, private, and checked.
_SOCKETS = Path("/tmp")  # noqa: S108  see above

# For the account that runs PostgreSQL if only root may enter the clone.
_FALLBACKS = Path("/var/lib")


@dataclass(frozen=True)
class ServerPaths:
    """The paths of one server, derived from its data folder."""

    data: Path

    @property
    def sockets(self) -> Path:
        """The private folder of the server's socket."""
        return _SOCKETS / f"sabot-{fingerprint(self.data)}"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.data.parent / "log" / f"{self.data.name}.log"

    @property
    def fallback_data(self) -> Path:
        """The data folder if the server's account cannot enter `data`."""
        return fallback_folder() / f"{self.data.name}-{fingerprint(self.data)}"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the server against other processes that start or stop it."""
        self.data.parent.mkdir(parents=True, exist_ok=True)
        lock = self.data.with_name(f"{self.data.name}.lock")
        with lock.open("a") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def make_sockets(self, account: Account | None) -> None:
        """Create the socket folder, which only the server's account (and root) may enter.

        Raises CannotStart if there is a folder of another user.
        """
        owner = account.uid if account else os.geteuid()
        with suppress(OSError):  # one in use stays and is checked below
            self.sockets.rmdir()
        with suppress(FileExistsError):
            self.sockets.mkdir(mode=0o700)
            os.chown(self.sockets, owner, account.gid if account else -1)
        status = self.sockets.lstat()
        if (stat.S_ISDIR(status.st_mode), status.st_mode & 0o077, status.st_uid) != (
            True,
            0,
            owner,
        ):
            raise CannotStart(
                f"{self.sockets} should be a folder that only user id {owner} may enter, but it "
                f"belongs to {status.st_uid} with mode {stat.filemode(status.st_mode)}: remove it."
            )


def fallback_folder() -> Path:
    """The folder of the clone outside of itself, created when needed."""
    return _FALLBACKS / f"sabot-{fingerprint(CLONE)}"


def fingerprint(path: Path) -> str:
    """Twelve characters that identify a folder."""
    return sha256(str(path.resolve()).encode()).hexdigest()[:12]


def clone_paths(server: str, root: Path | None = None) -> ServerPaths:
    """The paths of a clone's `postgres` or `valkey`, under its git-ignored `var/`."""
    return ServerPaths((root or CLONE).resolve() / "var" / server)
