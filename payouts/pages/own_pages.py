"""What pages share that are no list of a model's rows."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse


def page(view: Callable[..., HttpResponseBase], *, permission: str) -> Callable[..., Any]:
    """The view for those who have the permission and have logged in."""

    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:  # noqa: ANN401  of the address
        if not request.user.has_perm(permission):
            raise PermissionDenied
        return view(request, **arguments)

    return admin.site.admin_view(guarded)


def show(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The template with what every page of the site has around it."""
    shared = {**admin.site.each_context(request), "content_title": context["title"]}
    return TemplateResponse(request, template, {**shared, **context})


def person_of(request: HttpRequest) -> User:
    """Whoever has logged in; nobody else gets to a page."""
    return cast("User", request.user)
