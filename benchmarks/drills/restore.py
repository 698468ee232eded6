"""The database server is lost with its disk; pgBackRest restores it; studios replay their feeds."""

import argparse
import random
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.db import connection

from benchmarks.drills.audit_log import check_log
from benchmarks.drills.books import check_books, stored_rounds
from benchmarks.drills.casino import Casino, broker, environment_of, prepare, running_casino
from benchmarks.drills.pgbackrest import PgBackRest
from benchmarks.drills.progress import say, wait_for
from casino.embedded import Running, start_postgres
from casino.embedded.cluster import find_cluster
from casino.embedded.postgres import find_running_postgres
from casino.embedded.server_paths import ServerPaths
from compliance.storage.database_roles.role import DatabaseRole
from tests.crash.supervised_casino import kill_with_children

_BEFORE_BACKUP: Final = 5
_AFTER_BACKUP: Final = (5, 75)
"""Seconds of play between the backup and the loss, at random: archive_timeout, and some more."""
_AFTER_TARGET: Final = 2
_ARCHIVED: Final = "SELECT last_archived_wal >= %s FROM pg_stat_archiver"
_FILE_NOW: Final = "SELECT pg_walfile_name(pg_current_wal_lsn())"


def run(folder: Path, wanted: argparse.Namespace) -> None:
    """Plays, loses the database, restores it, and prints what was lost and how long it took."""
    place = ServerPaths(folder / "postgres")
    cluster = find_cluster(place)
    backups = PgBackRest(folder, cluster, s3_url=wanted.s3)
    cluster.make()
    backups.archive_from(cluster.data)
    server = start_postgres(place.data, durable=True)
    try:
        backups.create()
        say(f"PostgreSQL {cluster.programs.version} archives into {len(backups.repositories)}")
        prepare()
        with broker(folder), running_casino(folder) as casino:
            _Drill(casino, backups, wanted).run(server)
    finally:
        connection.close()
        if running := find_running_postgres(place.data):
            running.stop()


class _Drill:
    """One loss and its repair."""

    def __init__(self, casino: Casino, backups: PgBackRest, wanted: argparse.Namespace) -> None:
        self._casino, self._backups = casino, backups
        self._is_to_minute = wanted.to == "minute"
        self._repository = 2 if wanted.s3 else 1

    def run(self, server: Running) -> None:
        """From play to play."""
        target = self._play()
        lost_at, began = time.time(), time.monotonic()
        self._lose(server)
        self._restore(server, target)
        self._report_loss(lost_at, target)
        self._replay(began)
        check_log(self._casino.log_key)

    def _play(self) -> datetime | None:
        """Plays, backs up, plays on; returns the moment to restore to, None for the latest."""
        self._casino.start()
        time.sleep(_BEFORE_BACKUP)
        say("the studios play; a full backup begins")
        self._backups.back_up()
        seconds = random.uniform(*_AFTER_BACKUP)  # noqa: S311  no secret
        say(f"the backup is complete; the server is lost in {seconds:.0f} s")
        time.sleep(seconds)
        return self._archived_moment() if self._is_to_minute else None

    def _archived_moment(self) -> datetime:
        """Now, after which play goes on until its log is in the repositories."""
        target = datetime.now(UTC)
        time.sleep(_AFTER_TARGET)
        with connection.cursor() as cursor:
            cursor.execute(_FILE_NOW)
            [file] = cursor.fetchone()

            def is_archived() -> bool:
                cursor.execute(_ARCHIVED, [file])
                return bool(cursor.fetchone()[0])

            wait_for(is_archived, what="the log of the named moment is archived")
        return target

    def _lose(self, server: Running) -> None:
        kill_with_children(server.pid)
        if server.process is not None:
            server.process.wait()
        self._casino.stop()
        connection.close()
        for path in server.data.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        say(
            f"the server is killed and its data are removed; acknowledged:"
            f" {len(self._casino.acknowledged)} rounds"
        )

    def _restore(self, server: Running, target: datetime | None) -> None:
        place = server.place
        find = ["--type=default"]
        if target is not None:
            find = ["--type=time", f"--target={target.isoformat(' ')}", "--target-action=promote"]
        self._backups("restore", *find, f"--repo={self._repository}")
        say(f"restored from repository {self._repository}, {target or 'to the latest'}")
        start_postgres(place.data, durable=True)
        wait_for(_is_primary, what="PostgreSQL has replayed its log")
        say("PostgreSQL has replayed the archived log and takes writes")

    def _report_loss(self, lost_at: float, target: datetime | None) -> None:
        """What was acknowledged up to the restored moment must be there."""
        stored = stored_rounds()
        lost = {
            round_id: at
            for round_id, at in self._casino.acknowledged.items()
            if round_id not in stored
        }
        if target is not None:
            early = [round_id for round_id, at in lost.items() if at <= target.timestamp()]
            if early:
                raise AssertionError(f"acknowledged before {target}, and not there: {early}")
            ago = lost_at - target.timestamp()
            say(f"all that was acknowledged until the named moment, {ago:.1f} s before, is there")
        seconds = lost_at - min(lost.values()) if lost else 0
        say(f"RPO before the replay: {seconds:.1f} s of acknowledged work, {len(lost)} rounds")

    def _replay(self, began: float) -> None:
        """The studios hand over again all that they have dealt."""
        api, command = self._casino.studios
        first = b"".join(api.dealt[:1])
        wait_for(lambda: self._casino.api(first), what="the API takes rounds")
        say(f"RTO: {time.monotonic() - began:.1f} s from the loss to the first accepted round")
        for studio in (api, command):
            if not self._casino.command(b"".join(studio.dealt)):
                raise AssertionError("a feed cannot be replayed: see the log of ingest")
        say(f"both feeds are replayed, {time.monotonic() - began:.1f} s after the loss")
        check_books(self._casino.lines, worker=environment_of(DatabaseRole.WORKER))
        missing = self._casino.acknowledged.keys() - stored_rounds()
        if missing:
            raise AssertionError(f"acknowledged, and lost: {sorted(missing)}")
        say("RPO after the replay: 0 rounds")


def _is_primary() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        [is_in_recovery] = cursor.fetchone()
    connection.close()
    return not is_in_recovery
