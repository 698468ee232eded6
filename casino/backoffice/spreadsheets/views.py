"""Export of lists as CSV or XLSX; import after a confirmed dry run."""

from typing import Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in, text_of
from casino.backoffice.site.views import show
from casino.backoffice.spreadsheets.files import MOST_BYTES, ListUnreadable, write_csv, write_xlsx
from casino.backoffice.spreadsheets.models import ListImport
from casino.backoffice.spreadsheets.plan import (
    LISTS,
    SIGNED,
    decided_since,
    dry_run,
    import_list,
    send_list,
)
from compliance.trail.steps import StaleState

_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class _Kind(NamedTuple):
    """The permissions and the page of a list."""

    view: str
    change: tuple[str, ...]
    page: str
    title: str | Promise


_KINDS: Final[dict[str, _Kind]] = {
    "tables": _Kind(
        "rounds.view_table",
        ("rounds.add_table", "rounds.change_table"),
        "admin:rounds_table_changelist",
        gettext_lazy("Import tables"),
    ),
    "limits": _Kind(
        "rounds.view_table",
        ("rounds.limit_stakes",),
        "admin:rounds_table_changelist",
        gettext_lazy("Import stake limits"),
    ),
    "reasons": _Kind(
        "payouts.view_reason",
        ("payouts.manage_reasons",),
        "admin:payouts_reason_changelist",
        gettext_lazy("Import reasons"),
    ),
}


def export(request: HttpRequest, kind: str, form: str) -> HttpResponse:
    """The whole list as a file."""
    _may(request, kind, (_kind_of(kind).view,))
    dataset = LISTS[kind](at=timezone.now(), actor=actor_in(request)).dataset()
    dataset.title = kind
    if form == "csv":
        content, content_type = write_csv(dataset), "text/csv; charset=utf-8"
    else:
        content, content_type = write_xlsx(dataset), _XLSX
    return attachment(content, name=f"{kind}.{form}", content_type=content_type)


def send(request: HttpRequest, kind: str) -> HttpResponse:
    """The upload form; then the dry run."""
    _may(request, kind, _kind_of(kind).change)
    unreadable = None
    if request.method == "POST":
        file = request.FILES.get("file")
        try:
            sent = send_list(
                kind=kind,
                name=(file.name if file else "") or "",
                content=b"" if file is None else file.read(MOST_BYTES + 1),
                at=timezone.now(),
                actor=actor_in(request),
            )
        except ListUnreadable as error:
            unreadable = error.message
        else:
            return redirect("list_import", sent.pk)
    resource = LISTS[kind](at=timezone.now(), actor=actor_in(request))
    context = {"kind": kind, "unreadable": unreadable, "columns": resource.columns()}
    return show(request, "backoffice/spreadsheets/send.html", {**_around(kind), **context})


def review(request: HttpRequest, pk: int) -> HttpResponse:
    """The changes of a file; POST applies them."""
    sent = get_object_or_404(ListImport, pk=pk)
    _may(request, sent.kind, _kind_of(sent.kind).change)
    has_changed = False
    if request.method == "POST" and sent.confirmed_at is None:
        try:
            import_list(
                sent,
                seen=text_of(request, "seen"),
                at=decided_at(request),
                actor=signing_actor(request),
            )
        except StaleState:
            has_changed = True
            sent.refresh_from_db()
        else:
            messages.success(request, _("Import completed. All lines of the file are in force."))
            return redirect(_kind_of(sent.kind).page)
    plan = dry_run(sent, at=timezone.now(), actor=actor_in(request))
    context = {
        "sent": sent,
        "plan": plan,
        "has_changed": has_changed,
        "is_signed": sent.kind in SIGNED,
        "decided": decided_since(plan, sent.sent_at) if sent.confirmed_at is None else [],
    }
    return show(request, "backoffice/spreadsheets/review.html", {**_around(sent.kind), **context})


def _around(kind: str) -> dict[str, object]:
    about = _kind_of(kind)
    parent = {"title": ListImport.Kind(kind).label, "address": reverse(about.page)}
    return {"title": about.title, "parent": parent, "kind": kind, "back": reverse(about.page)}


def _kind_of(kind: str) -> _Kind:
    if kind not in _KINDS:
        raise Http404
    return _KINDS[kind]


def _may(request: HttpRequest, kind: str, permissions: tuple[str, ...]) -> None:
    """Raises PermissionDenied without the permission."""
    if not request.user.has_perms(permissions):
        raise PermissionDenied(kind)
