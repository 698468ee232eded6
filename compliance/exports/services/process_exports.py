"""Builds requested bundles, one at a time.

A killed worker leaves its run unfinished; the next worker starts it again and removes leftovers.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.db import InterfaceError, OperationalError, connection

from compliance.exports.bundle.signing import MissingSigningKey, SigningKey, read_signing_key
from compliance.exports.models import ExportRun
from compliance.exports.scope import DaysDetached
from compliance.exports.services.build_bundle import ExportInProgress, build_bundle
from compliance.storage.replica import committed_position, report_database
from compliance.trail.actor import Actor
from compliance.trail.log.stored_tree import NotInLog

_log = logging.getLogger(__name__)


def process_exports(*, now: Callable[[], datetime], key: Path, folder: Path) -> int:
    """Builds requested bundles, oldest first; returns the number of finished runs.

    A failed run stores its error and is retried next time; the others continue. The last failure is
    raised at the end. Does nothing while another process exports.
    """
    finished = 0
    failure: Exception | None = None
    waiting = ExportRun.objects.filter(finished_at=None).order_by("pk")
    for run in list(waiting):
        try:
            _build(run, now=now, key=read_signing_key(key), folder=folder)
        except ExportInProgress:
            break
        except (OperationalError, InterfaceError):
            raise  # the database is down: not an error of the run
        except (MissingSigningKey, NotInLog, DaysDetached) as error:
            _store_error(run, str(error))
        except Exception as error:  # noqa: BLE001  stored with the run, and raised at the end
            _log.exception("Export %d failed", run.pk)
            _store_error(run, f"{type(error).__name__}: {error}")
            failure = error
        else:
            finished += 1
    if failure is not None:
        raise failure
    return finished


def _build(run: ExportRun, *, now: Callable[[], datetime], key: SigningKey, folder: Path) -> None:
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


def _store_error(run: ExportRun, message: str) -> None:
    stored = message.replace("\0", "\N{REPLACEMENT CHARACTER}")
    ExportRun.objects.filter(pk=run.pk).update(last_error=stored, percent=0)


class RunProgress:
    """Stores the progress of a run on a separate connection, outside the export's snapshot."""

    def __init__(self, run: ExportRun) -> None:
        self._run_id, self._percent = run.pk, -1
        self._connection = connection.copy()

    def __enter__(self) -> Callable[[float], None]:
        return self.update

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def update(self, part: float) -> None:
        """Stores the completed fraction, from 0 to 1."""
        percent = int(part * 100)
        if percent != self._percent:
            self._percent = percent
            with self._connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE exports_exportrun SET percent = %s WHERE id = %s",
                    [percent, self._run_id],
                )
