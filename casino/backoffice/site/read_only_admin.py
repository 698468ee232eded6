"""Read-only admin pages with keyset paging."""

from typing import Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin

from casino.backoffice.site.keyset_paging import KeysetPage, page_of


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """A list with keyset paging and a page per row, with our own templates."""

    list_template: ClassVar[str]
    page_template: ClassVar[str]
    related: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest, *_args: Any) -> bool:
        """Never: rows come from feeds and services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of the list, filtered by the request."""
        rows: QuerySet[Any] = self.get_queryset(request)
        return rows.select_related(*self.related)

    def get_page(self, request: HttpRequest) -> tuple[KeysetPage, dict[str, Any]]:
        """The requested page of the list, and context about the search."""
        return page_of(self.rows(request), request.GET), {}

    @staticmethod
    def query_text(request: HttpRequest, name: str) -> str:
        """A query parameter. NUL, which PostgreSQL cannot store, is replaced."""
        return request.GET.get(name, "").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Context of the list."""
        return {"rows": rows}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Context of the page of a row."""
        return {}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        page, extra = self.get_page(request)
        context = {
            "title": capfirst(self.opts.verbose_name_plural),
            "page": page,
            "here": self._query(request),
            **self.list_context(request, list(page.rows)),
            **extra,
        }
        return self._render(request, self.list_template, context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of one row."""
        row = self.get_object(request, object_id)
        if row is None:
            if not self.has_view_permission(request):
                raise PermissionDenied
            messages.warning(request, _("No entry with this ID exists."))
            return redirect("admin:index")
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {"title": str(row), "row": row, **self.page_context(request, row)}
        return self._render(request, self.page_template, context)

    def _render(self, request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
        request.current_app = self.admin_site.name  # {% url %} reads it
        shared = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**shared, **context})

    @staticmethod
    def _query(request: HttpRequest) -> str:
        """The filters of the request without the position in the list."""
        query = request.GET.copy()
        for place in ("before", "after"):
            query.pop(place, None)
        return f"{query.urlencode()}&" if query else ""
