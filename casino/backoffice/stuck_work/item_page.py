"""The page of an item: cause, history and actions."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.site.views import show
from casino.backoffice.stuck_work.work_list import line_of
from compliance.trail.people import name_of
from payouts.settlement.queries import settlement_statuses
from payouts.stuck_work.lookup import find_work, work_id_of
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.permissions import HANDLE, handlers
from payouts.stuck_work.steps import steps_of
from payouts.stuck_work.work import StuckWork, WorkId
from rounds.models import QuarantinedDocument, Round
from rounds.queries import round_by_reference
from rounds.suspended_tables import UNTIL_RESUMED


def show_stuck_item(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """An item of the queue, or its outcome."""
    work_id = work_id_of(kind, key)
    if work_id is None:
        raise Http404
    work = find_work(work_id)
    context = _context(work) if work is not None else _settled_context(work_id)
    shared = {
        "work": work_id,
        "steps": steps_of(work_id),
        "parent": {"title": _("Exceptions queue"), "address": reverse("stuck_work")},
        "may_handle": request.user.has_perm(HANDLE),
    }
    return show(request, "backoffice/stuck_work/item.html", {**shared, **context})


def _context(work: StuckWork) -> dict[str, Any]:
    line = line_of(work, at=timezone.now())
    is_closed = work.step is not None and work.step.is_closing
    recovered = isinstance(work.row, FailingTask) and work.row.recovered_at is not None
    return {
        "title": line.title,
        "line": line,
        "row": work.row,
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
    """Context of a round that has left the queue."""
    row = None
    if work.kind is WorkKind.ROUND:
        row = Round.objects.select_related("table").filter(pk=work.key).first()
    if row is None:
        raise Http404
    return {
        "title": f"{row.game_code} · {row.table.code}",
        "round": row,
        "status": settlement_statuses([row.pk])[row.pk],
    }


def _stored(document: QuarantinedDocument) -> Round | None:
    """The stored round with the same ID."""
    if document.round_reference is None:
        return None
    return round_by_reference(document.round_reference)
