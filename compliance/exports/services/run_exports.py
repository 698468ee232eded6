"""Making the bundles that were asked for, one at a time, by whichever worker is free.

A worker that is killed leaves the run unfinished and nothing else that counts: the next one begins
it anew, and clears away what lay about.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.db import InterfaceError, OperationalError, connection

from compliance.exports.bundle.signing import NoSigningKey, SigningKey, read_signing_key
from compliance.exports.models import ExportRun
from compliance.exports.services.build_bundle import ExportUnderWay, build_bundle
from compliance.replica import committed_position, report_database
from compliance.trail.actor import Actor
from compliance.trail.nodes import NotInLog

_log = logging.getLogger(__name__)


def work_on_exports(*, now: Callable[[], datetime], key: Path, folder: Path) -> int:
    """Makes the bundles that wait, oldest first; gives how many it finished.

    One that fails keeps its error, does not hold back the others, and is tried again with the next
    bell; the failure is raised at the end, so that it is seen. Nothing is done while another
    process exports.
    """
    finished = 0
    failure: Exception | None = None
    waiting = ExportRun.objects.filter(finished_at=None).order_by("pk")
    for run in list(waiting):
        try:
            _make(run, now=now, key=read_signing_key(key), folder=folder)
        except ExportUnderWay:
            break
        except (OperationalError, InterfaceError):
            raise  # the database is away: no run's fault
        except (NoSigningKey, NotInLog) as refusal:
            _keep_error(run, str(refusal))
        except Exception as error:  # noqa: BLE001  kept with the run, and raised at the end
            _log.exception("Export %d failed", run.pk)
            _keep_error(run, f"{type(error).__name__}: {error}")
            failure = error
        else:
            finished += 1
    if failure is not None:
        raise failure
    return finished


def _make(run: ExportRun, *, now: Callable[[], datetime], key: SigningKey, folder: Path) -> None:
    if run.begun_at is None:
        run.begun_at = now()
        run.save(update_fields=["begun_at"])
    with RunProgress(run) as progress:
        exported = build_bundle(
            of=run.scope,
            folder=folder,
            key=key,
            database=report_database(holding=committed_position()),
            at=now(),
            actor=Actor(run.actor, run.actor_user_id),
            progress=progress,
        )
    run.bundle, run.is_new = exported.bundle, exported.is_new
    run.finished_at, run.percent, run.last_error = now(), 100, ""
    run.save()


def _keep_error(run: ExportRun, told: str) -> None:
    kept = told.replace("\0", "\N{REPLACEMENT CHARACTER}")
    ExportRun.objects.filter(pk=run.pk).update(last_error=kept, percent=0)


class RunProgress:
    """Writes down how far a run is, by a connection of its own: the export's sees one moment."""

    def __init__(self, run: ExportRun) -> None:
        self._run_id, self._told = run.pk, -1
        self._connection = connection.copy()

    def __enter__(self) -> Callable[[float], None]:
        return self.tell

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def tell(self, part: float) -> None:
        """This part of the whole, from 0 to 1, is done."""
        percent = int(part * 100)
        if percent != self._told:
            self._told = percent
            with self._connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE exports_exportrun SET percent = %s WHERE id = %s",
                    [percent, self._run_id],
                )
