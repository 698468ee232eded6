"""What could not be taken from a feed, and what still waits."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from payouts.pages.documents import compare_documents, document_text
from payouts.pages.fact_admin import FactAdmin
from payouts.queries import standings_of
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound


@admin.register(QuarantinedDocument)
class QuarantineAdmin(FactAdmin):
    """Documents that were refused, with what was found and what is needed."""

    list_template = "pages/quarantine.html"
    page_template = "pages/quarantined.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the documents themselves, which may be long."""
        return super().rows(request).defer("content")

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The document as text."""
        name = _("Line %(line)s of %(source)s") % {"line": row.line, "source": row.source}
        return {"title": name, "name": name, "text": document_text(row.content)}


@admin.register(ConflictingDocument)
class ConflictAdmin(FactAdmin):
    """Documents that give a stored round's id to other content."""

    list_template = "pages/conflicts.html"
    page_template = "pages/conflict.html"
    related = ("round", "round__table")

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the documents themselves, which may be long."""
        return super().rows(request).defer("content")

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """Both contents side by side."""
        stands, came = compare_documents(row.round, row.content)
        return {
            "title": row.round.reference,
            "name": row.round.reference,
            "stands": stands,
            "came": came,
            "standing": standings_of([row.round_id])[row.round_id],
        }


@admin.register(QueuedRound)
class QueueAdmin(FactAdmin):
    """Rounds that wait for a worker; newest play first."""

    list_template = "pages/waiting.html"
    page_template = "pages/waiting_round.html"
    related = ("round", "round__table")

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The waiting round's name."""
        return {"title": row.round.reference, "name": row.round.reference}
