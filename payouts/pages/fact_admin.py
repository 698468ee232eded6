"""What all pages of facts share: they can be read by those who may, and changed by nobody."""

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

from payouts.pages.paging import KeysetPage, page_of


class FactAdmin(ModelAdmin):  # type: ignore[misc]  # django-unfold ships no types
    """A list by key and a page for each row, both written as templates of our own."""

    list_template: ClassVar[str]
    page_template: ClassVar[str]
    related: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest, *_args: Any) -> bool:  # noqa: ANN401  Django's signature
        """Facts come from feeds and services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """What the list shows, filtered as the request says."""
        rows: QuerySet[Any] = self.get_queryset(request)
        return rows.select_related(*self.related)

    def found(self, request: HttpRequest) -> tuple[KeysetPage, dict[str, Any]]:
        """The page of the list that is wanted, and what there is to say of how it was found."""
        asked = request.GET
        return page_of(self.rows(request), before=asked.get("before"), after=asked.get("after")), {}

    @staticmethod
    def asked(request: HttpRequest, name: str) -> str:
        """A text that was asked for; PostgreSQL knows no NUL, so one that has it fits nothing."""
        return request.GET.get(name, "").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """What the list's template needs beside its rows."""
        return {"rows": rows}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """What the page's template needs beside its row."""
        return {}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        page, said = self.found(request)
        context = {
            "title": capfirst(self.opts.verbose_name_plural),
            "page": page,
            "here": self._query(request),
            **self.list_context(request, list(page.rows)),
            **said,
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
            messages.warning(request, _("There is nothing of this kind with that id."))
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
        """The request's filters without its place in the list, ready to be continued."""
        query = request.GET.copy()
        for place in ("before", "after"):
            query.pop(place, None)
        return f"{query.urlencode()}&" if query else ""
