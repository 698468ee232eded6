"""Quarantined and conflicting documents, and the settlement queue."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino.backoffice.feed.document_text import compare_documents, document_text
from casino.backoffice.feed.intake_lists import CONFLICTS, QUARANTINE, QUEUE
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from payouts.settlement.queries import settlement_statuses
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.steps import latest_step, latest_steps
from payouts.stuck_work.work import WorkId
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.suspended_tables import UNTIL_RESUMED, blocking_suspension, suspensions_of


class _StuckAdmin(ReadOnlyAdmin):
    """Documents that can be items of the exceptions queue."""

    kind: ClassVar[WorkKind]

    def lines(self, rows: list[Any]) -> Iterable[Any]:
        """Each document with its latest step."""
        steps = latest_steps(self.kind, [row.pk for row in rows])
        return [(row, steps.get(row.pk)) for row in rows]

    def work_context(self, row: Any) -> dict[str, Any]:
        """Whether the document is in the exceptions queue, and its assignee."""
        work = WorkId(self.kind, row.pk)
        return {"work": work, "step": latest_step(work)}


@admin.register(QuarantinedDocument)
class QuarantineAdmin(_StuckAdmin):
    """Rejected documents, with the value found and the value expected."""

    kind = WorkKind.DOCUMENT
    spec = QUARANTINE
    list_template = "backoffice/feed/quarantine.html"
    page_template = "backoffice/feed/quarantined.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the content."""
        return super().rows(request).defer("content")

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The document as text."""
        name = _("Line %(line)s of %(source)s") % {"line": row.line, "source": row.source}
        text = document_text(row.content)
        return {"title": name, "name": name, "text": text, **self.work_context(row)}


@admin.register(ConflictingDocument)
class ConflictAdmin(_StuckAdmin):
    """Documents with the ID of a stored round and different content."""

    kind = WorkKind.CONFLICT
    spec = CONFLICTS
    list_template = "backoffice/feed/conflicts.html"
    page_template = "backoffice/feed/conflict.html"
    related = ("round", "round__table")

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the content."""
        return super().rows(request).defer("content")

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Both documents side by side."""
        stored, later = compare_documents(row.round, row.content)
        return {
            "title": row.round.reference,
            "name": row.round.reference,
            "stored": stored,
            "later": later,
            "status": settlement_statuses([row.round_id])[row.round_id],
            **self.work_context(row),
        }


@admin.register(QueuedRound)
class QueueAdmin(_StuckAdmin):
    """Rounds awaiting settlement, newest first."""

    kind = WorkKind.ROUND
    spec = QUEUE
    list_template = "backoffice/feed/queued_rounds.html"
    page_template = "backoffice/feed/queued_round.html"
    related = ("round", "round__table")

    def lines(self, rows: list[Any]) -> Iterable[Any]:
        """Each round, with its latest step and the suspension of its table if any."""
        waiting = {row.round.table_id for row in rows if row.due_at == UNTIL_RESUMED}
        suspended = suspensions_of(waiting)
        steps = super().lines(rows)
        return [(row, step, suspended.get(row.round.table_id)) for row, step in steps]

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The round, with the suspension of its table if any."""
        name, suspended = row.round.reference, blocking_suspension(row)
        return {"title": name, "name": name, "suspended": suspended, **self.work_context(row)}
