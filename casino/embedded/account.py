"""The account that runs a server: PostgreSQL refuses to run as root, so root uses another."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from casino.embedded.errors import CannotStart

SERVICE_ACCOUNTS = ("postgres", "nobody", "daemon")


class Identity(TypedDict):
    """The account arguments of `subprocess`; None for the current account."""

    user: int | None
    group: int | None
    extra_groups: list[int] | None


@dataclass(frozen=True)
class Account:
    """An existing account of the machine."""

    name: str
    uid: int
    gid: int

    def may_enter(self, folder: Path) -> bool:
        """Whether the account can enter a folder, as the kernel decides."""
        return self.succeeds("test", "-x", folder)

    def succeeds(self, *command: str | Path) -> bool:
        """Whether a command succeeds when this account runs it."""
        try:
            completed = subprocess.run(
                command, cwd="/", capture_output=True, check=False, **identity_of(self)
            )
        except OSError:
            return False
        return completed.returncode == 0


def identity_of(account: Account | None) -> Identity:
    """The arguments with which `subprocess` runs a process as an account."""
    if account is None:
        return {"user": None, "group": None, "extra_groups": None}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def owner_of(data: Path) -> Account | None:
    """The owner of existing data; None without data or if root owns it."""
    if not data.exists() or data.stat().st_uid == 0:
        return None
    owner = data.stat()
    return Account(name=f"user id {owner.st_uid}", uid=owner.st_uid, gid=owner.st_gid)


def require_own(data: Path) -> None:
    """Raise CannotStart if existing data belongs to another user."""
    if data.exists() and data.stat().st_uid != os.geteuid():
        raise CannotStart(
            f"{data} belongs to user id {data.stat().st_uid} and you are {os.geteuid()}: start it "
            "as the user who made it, or remove that folder to start over."
        )


def service_account() -> Account:
    """The account as which root runs PostgreSQL. Raises CannotStart if there is none."""
    for name in SERVICE_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise CannotStart(
        "PostgreSQL cannot run as root and this machine has none of the accounts "
        f"{', '.join(SERVICE_ACCOUNTS)}: start it as an ordinary user, or set DATABASE_URL."
    )
