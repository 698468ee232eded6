"""List files of many rows: requested on the list's page, made by a worker, kept for a day.

A worker calls the page of the list as its owner, so that the file has the rows that the owner may
see at that time, with the filters, order and columns of the request. The content is stored in the
database: every web host has it, and a worker that is killed leaves nothing behind.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import resolve
from django.utils import timezone, translation

from casino.backoffice.lists.columns import Column
from casino.backoffice.lists.files import (
    CHUNK,
    MOST_BACKGROUND_ROWS,
    LinesOf,
    in_chunks,
    write_list,
)
from casino.backoffice.lists.models import KEPT_FOR, ListFile, ListFilePart
from compliance.notifications.inbox import inbox_of
from compliance.storage.advisory_locks import lock_names, session_lock
from compliance.trail.actor import Actor
from compliance.trail.announcements import announce
from compliance.trail.record import Entry, record_entry

MAKE_TASK: Final = "casino.make_list_files"
MOST_FILES: Final = 10
"""Files of a person; a further one replaces the oldest that is finished."""
MOST_ATTEMPTS: Final = 5
"""Attempts at a file; then its owner has to request it again."""
_PART_OCTETS: Final = 1 << 20
_STEP_PERCENT: Final = 5
_log: Final = logging.getLogger(__name__)

Job = Callable[[Sequence[Column], Iterable[Any], LinesOf], None]
"""Gets the shown columns of a list, its rows, and what makes lines of them."""


class TooManyFiles(Exception):
    """The person's other files are not finished; nothing was requested."""


class _TooManyRows(Exception):
    """More rows match than a file may have."""


@transaction.atomic
def request_file(wanted: ListFile, *, at: datetime) -> ListFile:
    """Requests a file; an unfinished request of the same file is returned instead.

    The caller notifies a worker afterwards. Raises TooManyFiles.
    """
    lock_names([f"list files of {wanted.owner_id}"])
    own = ListFile.objects.filter(owner=wanted.owner)
    same = own.filter(
        path=wanted.path,
        query=wanted.query,
        file_format=wanted.file_format,
        language=wanted.language,
    )
    if waiting := same.filter(finished_at=None).first():
        return waiting
    if own.filter(finished_at=None).count() >= MOST_FILES:
        raise TooManyFiles
    wanted.requested_at = at
    wanted.save()
    beyond = own.order_by(F("finished_at").desc(nulls_first=True))[MOST_FILES:]
    own.filter(pk__in=list(beyond.values_list("pk", flat=True))).delete()
    return wanted


def job_of(request: HttpRequest) -> Job | None:
    """What a worker does with the list of this request; None for a browser's."""
    return getattr(request, "list_file_job", None)


def may_see(file: ListFile) -> bool:
    """Whether the owner of the file may see its list now."""
    seen: list[Sequence[Column]] = []
    _open_list(file, lambda columns, *_: seen.append(columns))
    return bool(seen)


def record_download(file: ListFile, *, rows: int, actor: Actor) -> None:
    """Records who took which rows out of Sabot."""
    details = {
        "list": file.list_name,
        "format": file.file_format,
        "filters": file.query,
        "rows": rows,
    }
    downloaded = Entry("LIST_DOWNLOADED", f"user:{file.owner_id}", details)
    record_entry(downloaded, at=timezone.now(), actor=actor)


def make_list_files(*, now: Callable[[], datetime]) -> None:
    """Deletes expired files, and makes those that are requested, oldest first.

    One process does so at a time, so that long files leave the other workers to settlement. A file
    that fails is tried again by the next call; the last failure is raised at the end.
    """
    failure: Exception | None = None
    with session_lock("list files") as is_ours:
        if not is_ours:
            return
        ListFile.objects.filter(requested_at__lte=now() - KEPT_FOR).delete()
        for file in ListFile.objects.filter(finished_at=None).order_by("pk"):
            try:
                _make(file, now=now)
            except (OperationalError, InterfaceError):
                raise  # the database is down: not an error of the file
            except Exception as error:  # noqa: BLE001  raised at the end
                _log.exception("The list file %d failed", file.pk)
                failure = error
    if failure is not None:
        raise failure


def _make(file: ListFile, *, now: Callable[[], datetime]) -> None:
    if file.attempts >= MOST_ATTEMPTS:
        _save(file, problem=ListFile.Problem.FAILED, finished_at=now())
        return
    _save(file, attempts=file.attempts + 1, percent=0)
    with TemporaryFile() as content, translation.override(file.language):
        writing = _Writing(file, content)
        try:
            _open_list(file, writing)
        except _TooManyRows:
            _save(file, problem=ListFile.Problem.TOO_LONG, finished_at=now())
            return
        if writing.rows is None:
            _save(file, problem=ListFile.Problem.REFUSED, finished_at=now())
            return
        size = content.tell()
        content.seek(0)
        with transaction.atomic():
            for part in iter(partial(content.read, _PART_OCTETS), b""):
                ListFilePart.objects.create(file=file, content=part)
            _save(file, rows=writing.rows, size=size, percent=100, finished_at=now())


class _Writing:
    """The job that writes the rows, counts them and stores the progress."""

    def __init__(self, file: ListFile, to: BinaryIO) -> None:
        self._file, self._to = file, to
        self.rows: int | None = None
        """The rows written; None until the list was opened."""

    def __call__(self, columns: Sequence[Column], rows: Iterable[Any], lines_of: LinesOf) -> None:
        """Writes the file. Raises _TooManyRows."""
        self.rows = 0
        lines = in_chunks(self._counted(rows), lines_of)
        write_list(columns, lines, file_format=self._file.file_format, to=self._to)

    def _counted(self, rows: Iterable[Any]) -> Iterator[Any]:
        """The rows, from a cursor of the database where they are a query."""
        total = rows.count() if isinstance(rows, QuerySet) else 0
        if total > MOST_BACKGROUND_ROWS:
            raise _TooManyRows
        found = rows.iterator(chunk_size=CHUNK) if isinstance(rows, QuerySet) else rows
        shown = 0
        for self.rows, row in enumerate(found, 1):
            if self.rows > MOST_BACKGROUND_ROWS:
                raise _TooManyRows
            yield row
            percent = min(100 * self.rows // total, 99) if total else 0
            if percent >= shown + _STEP_PERCENT:
                shown = percent
                _save(self._file, percent=percent)


def _open_list(file: ListFile, job: Job) -> None:
    """Opens the list as its owner; the job gets it if the owner's rights suffice."""
    match = resolve(file.path)
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = file.path
    request.GET = QueryDict(f"{file.query}&format={file.file_format}")
    request.user = User.objects.get(pk=file.owner_id)
    request.resolver_match = match
    request.list_file_job = job  # type: ignore[attr-defined]  # ours
    with suppress(PermissionDenied):
        match.func(request, *match.args, **match.kwargs)


def _save(file: ListFile, **values: Any) -> None:
    """Stores the values, and tells the open pages of the owner."""
    ListFile.objects.filter(pk=file.pk).update(**values)
    announce([inbox_of(file.owner_id)])
