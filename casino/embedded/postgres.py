"""A private PostgreSQL: found running, or started with its database."""

import os
import signal
import subprocess
import time
from pathlib import Path

from casino.embedded.addresses import DATABASE, PORT, ROLE, database_url, postgres_socket
from casino.embedded.cluster import Cluster, find_cluster
from casino.embedded.errors import CannotStart, last_lines
from casino.embedded.process import ended_on_failure, listener, spawn, wait_until
from casino.embedded.running_server import Running
from casino.embedded.server_paths import ServerPaths

# Orphans of a killed server hold its shared memory for a while; starts fail until then.
_ORPHANS_SECONDS = 15
_READY_SECONDS = 120  # after a crash the log is replayed first
_MEGABYTE = 1024 * 1024
_MOST_BUFFERS = 2048  # megabytes


def start_postgres(data_dir: Path, *, durable: bool, detached: bool = False) -> Running:
    """Start the server with the data in `data_dir`, created if missing, or find it running.

    It listens on a Unix socket only, for its owner and root. `durable=False` trades crash safety
    for speed, for throw-away clusters. With `detached` it survives this process; else the kernel
    stops it when the process ends. Concurrent callers get the same server.

    Raises CannotStart: no programs, data of another user or major version, or a failed start.
    """
    place = ServerPaths(data_dir)
    stop_signal = signal.SIGINT if durable else signal.SIGQUIT
    with place.locked():
        cluster = find_cluster(place)
        process = None
        if _is_up(cluster):
            _make_database(cluster)
        else:
            cluster.make()
            cluster.forget_dead_postmaster()
            place.make_sockets(cluster.account)
            process = _start(cluster, stop_signal, durable=durable, detached=detached)
        return Running(
            name="PostgreSQL",
            url=database_url(place),
            place=place,
            data=cluster.data,
            pid=process.pid if process else _listening_pid(cluster),
            stop_signal=stop_signal,
            process=process,
        )


def find_running_postgres(data_dir: Path) -> Running | None:
    """The running server of a data folder; None if it does not run."""
    place = ServerPaths(data_dir)
    pid = listener(postgres_socket(place))
    if pid is None:
        return None
    data = place.data if place.data.exists() else place.fallback_data
    return Running("PostgreSQL", database_url(place), place, data, pid, signal.SIGINT, None)


def _is_up(cluster: Cluster) -> bool:
    """Whether the server accepts connections; waits for one that is starting or stopping."""
    ready = False

    def settled() -> bool:
        nonlocal ready
        ready = _is_ready(cluster)
        return ready or listener(postgres_socket(cluster.place)) is None

    if not wait_until(settled, seconds=_READY_SECONDS):
        raise _failure(cluster, f"neither starts nor stops within {_READY_SECONDS} seconds")
    return ready


def _start(
    cluster: Cluster, stop_signal: signal.Signals, *, durable: bool, detached: bool
) -> subprocess.Popen[bytes]:
    """Start the server, with retries while orphans of a killed one hold its memory."""
    deadline = time.monotonic() + _ORPHANS_SECONDS
    while True:
        process = spawn(
            [cluster.programs["postgres"], *_settings(cluster, durable=durable)],
            log=cluster.place.log,
            ends_with_us=None if detached else stop_signal,
            account=cluster.account,
            env=cluster.env,
        )
        with ended_on_failure(process, stop_signal):
            if _becomes_ready(process, cluster):
                _make_database(cluster)
                return process
        if time.monotonic() > deadline:
            raise _failure(cluster, "did not start")
        time.sleep(0.25)


def _becomes_ready(process: subprocess.Popen[bytes], cluster: Cluster) -> bool:
    """Wait until the server accepts connections or has ended; whether it accepts them."""
    if not wait_until(
        lambda: process.poll() is not None or _is_ready(cluster), seconds=_READY_SECONDS
    ):
        raise _failure(cluster, f"was not ready within {_READY_SECONDS} seconds")
    return process.poll() is None


def _settings(cluster: Cluster, *, durable: bool) -> list[str]:
    """The server's settings, as arguments, so that the data folder contains none."""
    settings = {
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": str(cluster.place.sockets),
        "unix_socket_permissions": "0700",
        "recovery_init_sync_method": "syncfs",  # after a crash: one call for all files
        "timezone": "UTC",
        "log_timezone": "UTC",
        "shared_buffers": f"{_buffers_megabytes() if durable else 128}MB",
    }
    if durable:
        settings["max_wal_size"] = "4GB"
    else:
        settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        settings["autovacuum"] = "off"
    return ["-D", str(cluster.data), *(f"--{name}={value}" for name, value in settings.items())]


def _buffers_megabytes() -> int:
    """A quarter of the memory, as PostgreSQL's manual advises, up to a limit."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MEGABYTE
    return min(memory // 4, _MOST_BUFFERS)


def _is_ready(cluster: Cluster) -> bool:
    sockets = str(cluster.place.sockets)
    return cluster.run("pg_isready", "-q", "-h", sockets, "-p", str(PORT)).returncode == 0


def _listening_pid(cluster: Cluster) -> int:
    pid = listener(postgres_socket(cluster.place))
    if pid is None:
        raise _failure(cluster, "went away while it was being looked at")
    return pid


def _make_database(cluster: Cluster) -> None:
    """Create the database unless it exists."""
    at = ("-h", str(cluster.place.sockets), "-p", str(PORT), "-U", ROLE, "-d", "postgres", "-XAtqc")
    result = cluster.run("psql", *at, f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'")  # noqa: S608  a constant
    if result.stdout.strip() == "1":
        return
    created = cluster.run("psql", *at, f"CREATE DATABASE {DATABASE}")
    if created.returncode != 0:
        raise _failure(cluster, f"could not create its database: {created.stderr.strip()}")


def _failure(cluster: Cluster, what: str) -> CannotStart:
    return CannotStart(
        f"PostgreSQL {cluster.programs.version} of {cluster.data} {what}. The end of "
        f"{cluster.place.log}:{last_lines(cluster.place.log)}"
    )
