"""Shared by views outside of the admin's model lists."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse


def page(
    view: Callable[..., HttpResponseBase], *, permission: str, to_post: str | None = None
) -> Callable[..., Any]:
    """The view, for logged-in users with the permission; its form needs ``to_post`` as well."""
    if to_post is not None:
        view = _to_post(view, to_post)

    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if not request.user.has_perm(permission):
            raise PermissionDenied
        return view(request, **arguments)

    return admin.site.admin_view(guarded)


def _to_post(view: Callable[..., HttpResponseBase], permission: str) -> Callable[..., Any]:
    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if request.method == "POST" and not request.user.has_perm(permission):
            raise PermissionDenied
        return view(request, **arguments)

    return guarded


def show(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render the template with the context of all pages."""
    shared = {**admin.site.each_context(request), "content_title": context["title"]}
    return TemplateResponse(request, template, {**shared, **context})
