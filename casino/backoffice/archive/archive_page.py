"""The page of the archive: what is recorded, and queries with their result as a table or file."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.archive.files_of_host import files_obstacle
from casino.backoffice.archive.questions import QUESTIONS
from casino.backoffice.lists.background_files import record_download
from casino.backoffice.lists.models import ListFile
from casino.backoffice.site.downloads import csv_attachment
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from casino.backoffice.spreadsheets.cells import escape_formula
from compliance.archive.recorded_archives import (
    RecordedArchive,
    all_recorded_archives,
    latest_archives,
)
from compliance.exports.bundle.signing import certificate_digests
from compliance.storage.advisory_locks import session_lock
from compliance.storage.sessions import has_sessions
from rounds.formatting import count

if TYPE_CHECKING:
    from compliance.archive.query import QueryResult

QUERY: Final = "archive.query_archive"
"""Permission to view what is archived and to query it."""
MOST_ROWS: Final = 200
"""Rows of a result that the page shows."""
MOST_COLUMNS: Final = 100
"""Columns of a result that the page shows."""
MOST_FILE_ROWS: Final = 100_000
"""Rows of a file. More are refused: a file that is cut would look complete."""
RUNNING: Final = "archive query"
"""The name of the lock of the query that runs."""

_MOST_CHARACTERS: Final = 300
"""Of a value in the table; the file has all of it."""
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_REASONS: Final = {
    "too-long": gettext_lazy("The query is too long. The maximum is 10,000 characters."),
    "not-a-select": gettext_lazy("Only a single SELECT statement is run."),
    "too-large": gettext_lazy("The result is too large. Choose fewer columns, or group the rows."),
    "too-much-work": gettext_lazy(
        "The query needs more than 30 seconds or 512 MB. Choose fewer months, or group the rows."
    ),
}
"""By the reason of a ``QueryError``; the others have a text of their own."""


class _NoResult(Exception):
    """The query has no result that can be shown. The message says why."""


class ArchiveForm(forms.Form):
    """The months, and the query."""

    first = forms.ChoiceField(label=gettext_lazy("From month"))
    last = forms.ChoiceField(label=gettext_lazy("To month"))
    query = forms.CharField(
        label=gettext_lazy("Query (SQL)"),
        widget=forms.Textarea({"rows": 12, "class": "mono", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, months: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "last"):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [(month, month) for month in months]

    def clean_query(self) -> str:
        """The query with the line ends of its author: browsers send others."""
        return str(self.cleaned_data["query"]).replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        """The months in order."""
        cleaned = super().clean() or {}
        if cleaned.get("last", "9") < cleaned.get("first", ""):
            self.add_error("last", _("The last month is before the first month."))
        return cleaned


def show_archive(request: HttpRequest) -> HttpResponse:
    """The recorded archives and the query; with POST also its result, or the result as a file.

    ``?question=`` fills in one of the ready-made questions.
    """
    archives = latest_archives()
    form = _form(request, [archive.month for archive in archives])
    result = None
    if request.method == "POST" and form.is_valid():
        is_file = "csv" in request.POST
        try:
            result = _answer(request, form.cleaned_data, archives, is_file=is_file)
        except _NoResult as error:
            form.add_error("query", str(error))
    if result is not None and "csv" in request.POST:
        return _saved(_file(request, form.cleaned_data, result))
    classes = [] if result is None else _css_classes(result)
    counting = {archive.name for archive in archives}
    context = {
        "title": _("Archive"),
        "archives": [(it, it.name in counting) for it in reversed(all_recorded_archives())],
        "obstacle": _obstacle(),
        "form": form,
        "questions": QUESTIONS,
        "result": result,
        "columns": [] if result is None else list(zip(result.columns, classes, strict=True)),
        "rows": [] if result is None else [_cells(row, classes) for row in result.rows],
        "most": count(MOST_ROWS),
    }
    answer = show(request, "backoffice/archive/archive.html", context)
    return answer if result is None else _saved(answer)


def _form(request: HttpRequest, months: Sequence[str]) -> ArchiveForm:
    """As submitted; else of the latest month, or of the months of the address."""
    if request.method == "POST":
        return ArchiveForm(request.POST, months=months)
    latest = months[-1] if months else ""
    chosen = request.GET.get("question")
    initial = {
        "first": request.GET.get("first", latest),
        "last": request.GET.get("last", latest),
        "query": next((it.sql for it in QUESTIONS if it.key == chosen), ""),
    }
    return ArchiveForm(initial=initial, months=months)


def _obstacle() -> str:
    """Why this host cannot run queries; empty if it can."""
    if obstacle := files_obstacle():
        return obstacle
    if not has_sessions():
        return _("This web host has no direct connection to the database. Set DATABASE_DIRECT_URL.")
    return ""


def _answer(
    request: HttpRequest,
    data: dict[str, Any],
    archives: Sequence[RecordedArchive],
    *,
    is_file: bool,
) -> "QueryResult":
    """The result. One query runs at a time, so that others keep the threads of the web hosts.

    Raises _NoResult.
    """
    from compliance.archive.query import (  # noqa: PLC0415  DuckDB takes 28 MB per process
        QueryError,
        Reason,
        query_archive,
    )
    from compliance.archive.verify_archive import BadArchive  # noqa: PLC0415  as above

    if obstacle := _obstacle():
        raise _NoResult(obstacle)
    with session_lock(RUNNING) as is_ours:
        if not is_ours:
            raise _NoResult(_("Another query is running. Try again in half a minute."))
        try:
            result = query_archive(
                data["query"],
                archives=[it for it in archives if data["first"] <= it.month <= data["last"]],
                folder=Path(settings.ARCHIVE_FOLDER),
                keys=certificate_digests(Path(settings.EXPORT_KEY)),
                most_rows=MOST_FILE_ROWS if is_file else MOST_ROWS,
                at=timezone.now(),
                actor=actor_in(request),
            )
        except QueryError as error:
            if error.reason is Reason.SQL_ERROR:
                raise _NoResult(_("DuckDB refuses the query: %s") % error) from None
            raise _NoResult(_REASONS[error.reason]) from None
        except BadArchive as error:
            text = _("The files are not those that were recorded: %s")
            raise _NoResult(text % error) from None
    _require_fitting(result, is_file=is_file)
    return result


def _require_fitting(result: "QueryResult", *, is_file: bool) -> None:
    if is_file and not result.is_whole:
        text = _("The result has more than %s rows. No file was made: it would be cut.")
        raise _NoResult(text % count(MOST_FILE_ROWS))
    if not is_file and len(result.columns) > MOST_COLUMNS:
        text = _("The result has %(found)s columns. The page shows at most %(most)s.")
        raise _NoResult(text % {"found": count(len(result.columns)), "most": MOST_COLUMNS})


def _css_classes(result: "QueryResult") -> list[str]:
    """Of each column: one of numbers is aligned as such."""
    values = zip(*result.rows, strict=True) if result.rows else [()] * len(result.columns)
    return [
        "num" if all(it is None or _NUMBER.fullmatch(it) for it in column) else "wrap"
        for column in values
    ]


def _cells(row: Sequence[str | None], classes: Sequence[str]) -> list[tuple[str | None, str]]:
    """The values of a row, cut if long, each with the class of its column."""
    values = [value and Truncator(value).chars(_MOST_CHARACTERS) for value in row]
    return list(zip(values, classes, strict=True))


def _file(request: HttpRequest, data: dict[str, Any], result: "QueryResult") -> HttpResponse:
    """The rows as CSV. The download is recorded; the query is, before it runs."""
    months = f"first={data['first']}&last={data['last']}"
    file = ListFile(
        owner=request_user(request), list_name="archive", query=months, file_format="csv"
    )
    record_download(file, rows=len(result.rows), actor=actor_in(request))
    rows = ([_csv_cell(value) for value in row] for row in result.rows)
    columns = [escape_formula(column) for column in result.columns]
    return csv_attachment(columns, rows, name=f"archive-{data['first']}-{data['last']}.csv")


def _csv_cell(value: str | None) -> str:
    """Numbers stay numbers, also negative ones; no other value becomes a formula."""
    if value is None:
        return ""
    return value if _NUMBER.fullmatch(value) else escape_formula(value)


def _saved(answer: HttpResponse) -> HttpResponse:
    answer.is_saved = True  # type: ignore[attr-defined]  # its draft is done with
    return answer
