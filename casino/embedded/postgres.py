"""A private PostgreSQL: found running, or started and given its database."""

import os
import signal
import subprocess
import time
from pathlib import Path

from casino.embedded.addresses import DATABASE, PORT, ROLE, database_url, postgres_socket
from casino.embedded.cluster import Cluster, find_cluster
from casino.embedded.failures import CannotStart, last_lines
from casino.embedded.places import Place
from casino.embedded.process import ended_on_failure, listener, spawn, wait_until
from casino.embedded.running import Running

# Orphans of a killed server hold its shared memory until they notice; starts fail so long.
_ORPHANS_SECONDS = 15
_READY_SECONDS = 120  # after a crash the log is replayed first
_MEGABYTE = 1024 * 1024
_MOST_BUFFERS = 2048  # megabytes


def start_postgres(data_dir: Path, *, durable: bool, detached: bool = False) -> Running:
    """Start the server whose data lie in `data_dir`, made at need; or find it running.

    It listens on a Unix socket only, for its owner and root. `durable=False` trades safety after a
    crash for speed: for throw-away clusters. `detached` lets it outlive us; else the kernel shuts
    it down when we die. Any number may start it at once: they all get the one server.

    Raises CannotStart: no programs, somebody else's data, data of another major version, or a
    server that does not come up.
    """
    place = Place(data_dir)
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
    """The server of a data folder if it runs, however it was started."""
    place = Place(data_dir)
    pid = listener(postgres_socket(place))
    if pid is None:
        return None
    data = place.data if place.data.exists() else place.sheltered_data
    return Running("PostgreSQL", database_url(place), place, data, pid, signal.SIGINT, None)


def _is_up(cluster: Cluster) -> bool:
    """Whether the server takes connections; one that is starting or stopping is waited for."""
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
    """Start the server, again and again while orphans of a killed one are in the way."""
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
    """Wait until the server takes connections; whether it does, or has given up."""
    if not wait_until(
        lambda: process.poll() is not None or _is_ready(cluster), seconds=_READY_SECONDS
    ):
        raise _failure(cluster, f"was not ready within {_READY_SECONDS} seconds")
    return process.poll() is None


def _settings(cluster: Cluster, *, durable: bool) -> list[str]:
    """The server's settings, given anew at each start so that the data folder holds none."""
    settings = {
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": str(cluster.place.sockets),
        "unix_socket_permissions": "0700",
        "recovery_init_sync_method": "syncfs",  # after a crash: one call in place of a file each
        "timezone": "UTC",
        "log_timezone": "UTC",
        "shared_buffers": f"{_buffers_megabytes() if durable else 128}MB",
    }
    if durable:
        settings["max_wal_size"] = "4GB"
    else:
        settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
    return ["-D", str(cluster.data), *(f"--{name}={value}" for name, value in settings.items())]


def _buffers_megabytes() -> int:
    """A quarter of the memory, as PostgreSQL's manual advises for a server, within reason."""
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
    """Make the one database unless it is there."""
    at = ("-h", str(cluster.place.sockets), "-p", str(PORT), "-U", ROLE, "-d", "postgres", "-XAtqc")
    found = cluster.run("psql", *at, f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'")  # noqa: S608  a constant
    if found.stdout.strip() == "1":
        return
    made = cluster.run("psql", *at, f"CREATE DATABASE {DATABASE}")
    if made.returncode != 0:
        raise _failure(cluster, f"could not make its database: {made.stderr.strip()}")


def _failure(cluster: Cluster, what: str) -> CannotStart:
    return CannotStart(
        f"PostgreSQL {cluster.programs.version} of {cluster.data} {what}. The end of "
        f"{cluster.place.log}:{last_lines(cluster.place.log)}"
    )
