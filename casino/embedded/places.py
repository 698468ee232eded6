"""Where an embedded server keeps its data, socket, log and lock."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from casino.embedded.account import Account
from casino.embedded.failures import CannotStart

CLONE = Path(__file__).resolve().parents[2]

# A Unix socket's path may have 107 bytes and a clone may lie anywhere, so sockets do not lie in it.
# The folder is the same for every shell, whatever its TMPDIR; it is private and checked.
_SOCKETS = Path("/tmp")  # noqa: S108  see above

# What root's lent account must reach, when the clone lies where only root may enter.
_SHELTERS = Path("/var/lib")


@dataclass(frozen=True)
class Place:
    """The folders of one server, all derived from the folder named for its data."""

    data: Path

    @property
    def sockets(self) -> Path:
        """The short private folder of the server's socket."""
        return _SOCKETS / f"sabot-{fingerprint(self.data)}"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.data.parent / "log" / f"{self.data.name}.log"

    @property
    def sheltered_data(self) -> Path:
        """Where the data lie instead, when the account that must read them cannot reach `data`."""
        return shelter() / f"{self.data.name}-{fingerprint(self.data)}"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold off every other starter and stopper of this server."""
        self.data.parent.mkdir(parents=True, exist_ok=True)
        lock = self.data.with_name(f"{self.data.name}.lock")
        with lock.open("a") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def make_sockets(self, account: Account | None) -> None:
        """Make the socket folder; nobody but the server's account (and root) may enter it.

        Raises CannotStart when somebody else's folder stands there.
        """
        owner = account.uid if account else os.geteuid()
        with suppress(OSError):  # a used one stays and is checked below
            self.sockets.rmdir()
        with suppress(FileExistsError):
            self.sockets.mkdir(mode=0o700)
            os.chown(self.sockets, owner, account.gid if account else -1)
        found = self.sockets.lstat()
        if (stat.S_ISDIR(found.st_mode), found.st_mode & 0o077, found.st_uid) != (True, 0, owner):
            raise CannotStart(
                f"{self.sockets} should be a folder that only user id {owner} may enter, but it "
                f"belongs to {found.st_uid} with mode {stat.filemode(found.st_mode)}: remove it."
            )


def shelter() -> Path:
    """The clone's folder outside of itself; made only when it is needed."""
    return _SHELTERS / f"sabot-{fingerprint(CLONE)}"


def fingerprint(path: Path) -> str:
    """Twelve characters that stand for a folder."""
    return sha256(str(path.resolve()).encode()).hexdigest()[:12]


def clone_place(server: str, root: Path | None = None) -> Place:
    """Where a clone keeps its own `postgres` or `valkey`: under its git-ignored `var/`."""
    return Place((root or CLONE).resolve() / "var" / server)
