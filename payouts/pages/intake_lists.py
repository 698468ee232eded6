"""What could not be taken from a feed, and what still waits."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from payouts.models import WorkKind
from payouts.pages.documents import compare_documents, document_text
from payouts.pages.fact_admin import FactAdmin
from payouts.queries import standings_of
from payouts.stuck.steps import latest_step, latest_steps
from payouts.stuck.work import WorkId
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.suspended import UNTIL_RESUMED, suspension_holding, suspensions_of


class _StuckAdmin(FactAdmin):
    """What somebody may have to deal with, and who does."""

    kind: ClassVar[WorkKind]

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each with the last that was done about it."""
        steps = latest_steps(self.kind, [row.pk for row in rows])
        return {"rows": [(row, steps.get(row.pk)) for row in rows]}

    def work_context(self, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """Whether it is stuck work, and whose."""
        work = WorkId(self.kind, row.pk)
        return {"work": work, "step": latest_step(work)}


def _from_source(source: str, rows: QuerySet[Any]) -> QuerySet[Any]:
    """What one feed brought, without the documents, which may be long."""
    return (rows.filter(source=source) if source else rows).defer("content")


@admin.register(QuarantinedDocument)
class QuarantineAdmin(_StuckAdmin):
    """Documents that were refused, with what was found and what is needed."""

    kind = WorkKind.DOCUMENT
    list_template = "pages/quarantine.html"
    page_template = "pages/quarantined.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Of one source where one is asked for; without the documents themselves."""
        return _from_source(self.asked(request, "source"), super().rows(request))

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The document as text."""
        name = _("Line %(line)s of %(source)s") % {"line": row.line, "source": row.source}
        text = document_text(row.content)
        return {"title": name, "name": name, "text": text, **self.work_context(row)}


@admin.register(ConflictingDocument)
class ConflictAdmin(_StuckAdmin):
    """Documents that give a stored round's id to other content."""

    kind = WorkKind.CONFLICT
    list_template = "pages/conflicts.html"
    page_template = "pages/conflict.html"
    related = ("round", "round__table")

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Of one source where one is asked for; without the documents themselves."""
        return _from_source(self.asked(request, "source"), super().rows(request))

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """Both contents side by side."""
        stands, came = compare_documents(row.round, row.content)
        return {
            "title": row.round.reference,
            "name": row.round.reference,
            "stands": stands,
            "came": came,
            "standing": standings_of([row.round_id])[row.round_id],
            **self.work_context(row),
        }


@admin.register(QueuedRound)
class QueueAdmin(_StuckAdmin):
    """Rounds that wait for a worker; newest play first."""

    kind = WorkKind.ROUND
    list_template = "pages/waiting.html"
    page_template = "pages/waiting_round.html"
    related = ("round", "round__table")

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each with the suspension of its table where it waits for that."""
        waiting = {row.round.table_id for row in rows if row.due_at == UNTIL_RESUMED}
        suspended = suspensions_of(waiting)
        steps = super().list_context(request, rows)["rows"]
        return {"rows": [(row, step, suspended.get(row.round.table_id)) for row, step in steps]}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The waiting round's name, and its table's suspension where it waits for that."""
        name, suspended = row.round.reference, suspension_holding(row)
        return {"title": name, "name": name, "suspended": suspended, **self.work_context(row)}
