"""The page of one piece of stuck work: why it stands still, who did what, what one may do."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.models import FailingTask, WorkKind
from payouts.pages.own_pages import show
from payouts.pages.stuck_list import line_of
from payouts.queries import standings_of
from payouts.stuck.find import find_work, work_id_of
from payouts.stuck.people import HANDLE, handlers, name_of
from payouts.stuck.steps import steps_of
from payouts.stuck.work import StuckWork, WorkId
from rounds.models import QuarantinedDocument, Round
from rounds.queries import round_named
from rounds.suspended import UNTIL_RESUMED


def show_stuck_item(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """What stands still, or what became of it."""
    work_id = work_id_of(kind, key)
    if work_id is None:
        raise Http404
    found = find_work(work_id)
    context = _context(found) if found is not None else _settled_context(work_id)
    shared = {
        "id": work_id,
        "steps": steps_of(work_id),
        "parent": {"title": _("Stuck work"), "address": reverse("stuck_work")},
        "may_handle": request.user.has_perm(HANDLE),
    }
    return show(request, "pages/stuck/item.html", {**shared, **context})


def _context(work: StuckWork) -> dict[str, Any]:
    line = line_of(work, at=timezone.now())
    is_closed = work.step is not None and work.step.is_closing
    recovered = isinstance(work.row, FailingTask) and work.row.recovered_at is not None
    return {
        "title": line.title,
        "line": line,
        "fact": work.row,
        "is_closed": is_closed,
        "recovered": recovered,
        "is_over": is_closed or recovered,
        "seen": 0 if work.step is None else work.step.sequence,
        "owner_id": None if work.step is None else work.step.owner_id,
        "people": [(person.pk, name_of(person)) for person in handlers()],
        "stored": _stored(work.row) if isinstance(work.row, QuarantinedDocument) else None,
        "can_retry": work.id.kind is not WorkKind.CONFLICT
        and work.due_at != UNTIL_RESUMED
        and not getattr(work.row, "takes_arguments", False),
        "can_resolve": work.id.kind is not WorkKind.ROUND,
    }


def _settled_context(work: WorkId) -> dict[str, Any]:
    """Of a round that waits no more."""
    row = None
    if work.kind is WorkKind.ROUND:
        row = Round.objects.select_related("table").filter(pk=work.key).first()
    if row is None:
        raise Http404
    return {
        "title": f"{row.game_code} · {row.table.code}",
        "round": row,
        "standing": standings_of([row.pk])[row.pk],
        "is_over": True,
    }


def _stored(document: QuarantinedDocument) -> Round | None:
    """The round of that id that is stored by now, or was before."""
    if document.round_reference is None:
        return None
    return round_named(document.round_reference)
