"""Read-only admin pages with keyset paging."""

from collections.abc import Iterable
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

from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.site.keyset_paging import KeysetPage


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """A list with keyset paging and a page per row, with our own templates."""

    spec: ClassVar[ListSpec]
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

    def spec_for(self, request: HttpRequest) -> ListSpec:
        """The declaration of the list."""
        return self.spec

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """All rows of the list, to which its filters are applied."""
        rows: QuerySet[Any] = self.get_queryset(request)
        return rows.select_related(*self.related)

    def get_page(self, request: HttpRequest, listing: Listing) -> tuple[KeysetPage, dict[str, Any]]:
        """The requested page of the list, and context about the search."""
        return listing.page(self.rows(request)), {}

    def get_file(self, request: HttpRequest, listing: Listing) -> HttpResponse | None:
        """The file of the list, if one is asked for."""
        return listing.file_of(self.rows(request), self.lines)

    def lines(self, rows: list[Any]) -> Iterable[Any]:
        """Rows as the template and the files of the list show them."""
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Further context of the list."""
        return {}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Context of the page of a row."""
        return {}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, as a page or a file."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        listing = Listing(self.spec_for(request), request)
        if file := self.get_file(request, listing):
            return file
        page, extra = self.get_page(request, listing)
        rows = list(page.rows)
        context = {
            "title": capfirst(self.opts.verbose_name_plural),
            "page": page,
            **listing.context(self.lines(rows)),
            **self.list_context(request, rows),
            **extra,
        }
        return self.render(request, self.list_template, context)

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
            return self.missing_page(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = {"title": str(row), "row": row, **self.page_context(request, row)}
        return self.render(request, self.page_template, context)

    def missing_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The answer if the database has no such row."""
        messages.warning(request, _("No entry with this ID exists."))
        return redirect("admin:index")

    def render(self, request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
        """The template with the context of all pages."""
        request.current_app = self.admin_site.name  # {% url %} reads it
        shared = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**shared, **context})
