"""A real streaming replica of a PostgreSQL."""

import os
from pathlib import Path

from casino.embedded import Running, start_postgres
from casino.embedded.addresses import PORT, ROLE
from casino.embedded.cluster import find_cluster
from casino.embedded.server_paths import ServerPaths


def start_replica(primary: Running, data: Path) -> Running:
    """Copies the primary into a folder and starts a server that replicates it."""
    place = ServerPaths(data)
    cluster = find_cluster(place)
    data.mkdir(mode=0o700)
    if cluster.account:
        os.chown(data, cluster.account.uid, cluster.account.gid)
    at = ("-h", str(primary.place.sockets), "-p", str(PORT), "-U", ROLE)
    copied = cluster.run("pg_basebackup", *at, "-D", data, "--write-recovery-conf", "-cfast")
    assert copied.returncode == 0, copied.stderr
    return start_postgres(data, durable=False)
