"""A second PostgreSQL with the tables of the first, and a real streaming replica."""

import os
from pathlib import Path
from typing import Final

from casino.embedded import Running, start_postgres
from casino.embedded.addresses import DATABASE, PORT, ROLE
from casino.embedded.cluster import find_cluster
from casino.embedded.server_paths import ServerPaths
from compliance.storage.database_roles.role import DatabaseRole, role_name
from tests.servers import POSTGRES

_NO_ROLES: Final = ("--no-owner", "--no-privileges")


def copy_database(name: str, into: Running, script: Path, *, with_roles: bool = False) -> None:
    """Copies a database of the run's own server into the empty one of another, by a script.

    To migrate takes ten times as long. The roles and their rights stay behind, unless they are
    copied as well.
    """
    of_run = ServerPaths(POSTGRES)
    options = () if with_roles else _NO_ROLES
    dumped = find_cluster(of_run).run("pg_dump", *_at(of_run), *options, "-d", name)
    assert dumped.returncode == 0, dumped.stderr
    made = [f"CREATE ROLE {role_name(role)};\n" for role in DatabaseRole if with_roles]
    script.write_text("".join([*made, dumped.stdout]))
    strictly = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
    filled = find_cluster(into.place).run(
        "psql", *_at(into.place), *strictly, "-d", DATABASE, "-f", script
    )
    assert filled.returncode == 0, filled.stderr


def start_replica(primary: Running, data: Path) -> Running:
    """Copies the primary into a folder and starts a server that replicates it."""
    back_up(primary, data, "--write-recovery-conf")
    return start_postgres(data, durable=False)


def back_up(primary: Running, data: Path, *options: str) -> None:
    """Copies the primary, as it is now, into a folder with which a server can be started."""
    place = ServerPaths(data)
    cluster = find_cluster(place)
    data.mkdir(mode=0o700)
    if cluster.account:
        os.chown(data, cluster.account.uid, cluster.account.gid)
    where = ("-D", data, "-cfast")
    copied = cluster.run("pg_basebackup", *_at(primary.place), *where, *options)
    assert copied.returncode == 0, copied.stderr


def _at(server: ServerPaths) -> tuple[str, ...]:
    """The options of PostgreSQL's programs that lead to a server."""
    return ("-h", str(server.sockets), "-p", str(PORT), "-U", ROLE)
