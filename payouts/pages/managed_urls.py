"""Addresses of the pages on which tables, limits, reasons, lists and feeds are managed."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import admin
from django.http import HttpResponse
from django.urls import URLPattern, path, re_path
from django.views.decorators.http import require_POST

from payouts.pages import holds, lists, reasons, suspensions, table_forms
from payouts.pages.limits import decide_limits
from payouts.pages.own_pages import page
from payouts.pages.uploads import UPLOAD, upload_now

_View = Callable[..., HttpResponse]
_SUSPEND: Final = "rounds.suspend_table"
_EXPORT: Final = r"^lists/(?P<kind>tables|limits|reasons)/export\.(?P<form>csv|xlsx)$"


def _page(address: str, view: _View, *, name: str, permission: str) -> URLPattern:
    return path(address, page(view, permission=permission), name=name)


def _deed(address: str, view: _View, *, name: str, permission: str) -> URLPattern:
    return path(address, require_POST(page(view, permission=permission)), name=name)


def _of_a_list(view: _View) -> Any:  # noqa: ANN401  Django's view
    """For whoever has logged in; who may do what is a matter of the list."""
    return admin.site.admin_view(view)


urlpatterns: Final = [
    _page(
        "tables/new/", table_forms.register, name="register_table", permission="rounds.add_table"
    ),
    _page(
        "tables/<int:pk>/",
        table_forms.change,
        name="change_table",
        permission="rounds.change_table",
    ),
    _page(
        "tables/<int:pk>/limits/",
        decide_limits,
        name="limit_stakes",
        permission="rounds.limit_stakes",
    ),
    _deed(
        "tables/<int:pk>/suspend/",
        suspensions.suspend,
        name="suspend_table",
        permission=_SUSPEND,
    ),
    _deed("tables/<int:pk>/resume/", suspensions.resume, name="resume_table", permission=_SUSPEND),
    _page("holds/", holds.show_holds, name="holds", permission=holds.LOOK),
    _deed("holds/<int:hold_id>/lift/", holds.lift, name="lift_hold", permission=holds.LIFT),
    _page("reasons/new/", reasons.add, name="add_reason", permission=reasons.MANAGE),
    _page("reasons/<int:pk>/", reasons.change, name="change_reason", permission=reasons.MANAGE),
    re_path(_EXPORT, _of_a_list(lists.export), name="export_list"),
    path("lists/<str:kind>/import/", _of_a_list(lists.send), name="send_list"),
    path("lists/imports/<int:pk>/", _of_a_list(lists.review), name="list_import"),
    _deed("feeds/upload/", upload_now, name="upload_feed", permission=UPLOAD),
]
