"""Who runs a server. PostgreSQL refuses to run as root, so root lends it an existing account."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from casino.embedded.failures import CannotStart

LENT_ACCOUNTS = ("postgres", "nobody", "daemon")


class Identity(TypedDict):
    """As whom `subprocess` starts a process; None for the account that we are."""

    user: int | None
    group: int | None
    extra_groups: list[int] | None


@dataclass(frozen=True)
class Account:
    """An account of the machine, used as it is found."""

    name: str
    uid: int
    gid: int

    def may_enter(self, folder: Path) -> bool:
        """Whether the account reaches a folder: asked of the kernel, not computed from modes."""
        return self.succeeds("test", "-x", folder)

    def succeeds(self, *command: str | Path) -> bool:
        """Whether a command starts and succeeds as this account."""
        try:
            done = subprocess.run(  # noqa: S603  the commands are ours
                command, cwd="/", capture_output=True, check=False, **identity_of(self)
            )
        except OSError:
            return False
        return done.returncode == 0


def identity_of(account: Account | None) -> Identity:
    """The arguments that make `subprocess` start a process as an account, None for our own."""
    if account is None:
        return {"user": None, "group": None, "extra_groups": None}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def owner_of(data: Path) -> Account | None:
    """The ordinary user to whom existing data belongs; None without data or when it is root's."""
    if not data.exists() or data.stat().st_uid == 0:
        return None
    owner = data.stat()
    return Account(name=f"user id {owner.st_uid}", uid=owner.st_uid, gid=owner.st_gid)


def require_own(data: Path) -> None:
    """Raise CannotStart when existing data belongs to another user than the one we are."""
    if data.exists() and data.stat().st_uid != os.geteuid():
        raise CannotStart(
            f"{data} belongs to user id {data.stat().st_uid} and you are {os.geteuid()}: start it "
            "as the user who made it, or remove that folder to begin anew."
        )


def first_lent_account() -> Account:
    """The account that root lends to PostgreSQL. Raises CannotStart when the machine has none."""
    for name in LENT_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise CannotStart(
        "PostgreSQL cannot run as root and this machine has none of the accounts "
        f"{', '.join(LENT_ACCOUNTS)}: start it as an ordinary user, or set DATABASE_URL."
    )
