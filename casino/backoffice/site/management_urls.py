"""URLs of tables, limits, reasons, list files and uploads."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import admin
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, re_path
from django.views.decorators.http import require_POST

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.feed.uploads import UPLOAD, release_upload, upload_now
from casino.backoffice.legal_holds import legal_holds
from casino.backoffice.lists.file_pages import download, show_files
from casino.backoffice.lists.saved_views import remove_view, save_view
from casino.backoffice.reasons import reasons
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page
from casino.backoffice.spreadsheets import views
from casino.backoffice.studio_keys import requirements, studio_keys
from casino.backoffice.tables import forms, suspensions
from casino.backoffice.tables.stake_limits import decide_limits

_View = Callable[..., HttpResponseBase]
_SUSPEND: Final = "rounds.suspend_table"
_EXPORT: Final = r"^lists/(?P<kind>tables|limits|reasons)/export\.(?P<form>csv|xlsx)$"


def _page(
    address: str, view: _View, *, name: str, permission: str, to_post: str | None = None
) -> URLPattern:
    return path(address, page(view, permission=permission, to_post=to_post), name=name)


def _post(address: str, view: _View, *, name: str, permission: str) -> URLPattern:
    return path(address, require_POST(page(view, permission=permission)), name=name)


def _of_a_list(view: _View) -> Any:
    """For all logged-in users; the list checks its own permissions."""
    return admin.site.admin_view(view)


urlpatterns: Final = [
    _page(
        "tables/new/", step_up(forms.register), name="register_table", permission="rounds.add_table"
    ),
    _page(
        "tables/<int:pk>/",
        step_up(forms.change),
        name="change_table",
        permission="rounds.change_table",
    ),
    _page(
        "tables/<int:pk>/limits/",
        step_up(decide_limits),
        name="limit_stakes",
        permission="rounds.limit_stakes",
    ),
    _post(
        "tables/<int:pk>/suspend/", suspensions.suspend, name="suspend_table", permission=_SUSPEND
    ),
    _post(
        "tables/<int:pk>/resume/",
        step_up(suspensions.resume),
        name="resume_table",
        permission=_SUSPEND,
    ),
    _page(
        "studio-keys/",
        studio_keys.show_studio_keys,
        name="studio_keys",
        permission=studio_keys.LOOK,
    ),
    _page(
        "studio-keys/new/",
        studio_keys.propose,
        name="propose_studio_key",
        permission=studio_keys.PROPOSE,
    ),
    _page(
        "studio-keys/<int:pk>/",
        studio_keys.show_studio_key,
        name="studio_key",
        permission=studio_keys.LOOK,
    ),
    _post(
        "studio-keys/<int:pk>/approve/",
        studio_keys.approve,
        name="approve_studio_key",
        permission=studio_keys.APPROVE,
    ),
    _post(
        "studio-keys/<int:pk>/revoke/",
        studio_keys.revoke,
        name="revoke_studio_key",
        permission=studio_keys.REVOKE,
    ),
    _post(
        "tables/<int:pk>/signatures/require/",
        requirements.require,
        name="require_signatures",
        permission=studio_keys.REVOKE,
    ),
    _post(
        "tables/<int:pk>/signatures/propose/",
        requirements.propose,
        name="propose_unsigned_rounds",
        permission=studio_keys.PROPOSE,
    ),
    _post(
        "tables/<int:pk>/signatures/allow/",
        requirements.allow,
        name="allow_unsigned_rounds",
        permission=studio_keys.APPROVE,
    ),
    _page(
        "holds/",
        step_up(legal_holds.show_holds),
        name="holds",
        permission=legal_holds.LOOK,
        to_post=legal_holds.PLACE,
    ),
    _post(
        "holds/<int:hold_id>/lift/",
        step_up(legal_holds.lift),
        name="lift_hold",
        permission=legal_holds.LIFT,
    ),
    _page("reasons/new/", step_up(reasons.add), name="add_reason", permission=reasons.MANAGE),
    _page(
        "reasons/<int:pk>/",
        step_up(reasons.change),
        name="change_reason",
        permission=reasons.MANAGE,
    ),
    re_path(_EXPORT, _of_a_list(views.export), name="export_list"),
    path("lists/<str:kind>/import/", _of_a_list(views.send), name="send_list"),
    path("lists/imports/<int:pk>/", _of_a_list(step_up(views.review)), name="list_import"),
    path("lists/files/", _of_a_list(show_files), name="list_files"),
    path("lists/files/<int:pk>/", _of_a_list(download), name="list_file"),
    path("lists/views/save/", require_POST(_of_a_list(save_view)), name="save_view"),
    path(
        "lists/views/<int:pk>/remove/",
        require_POST(_of_a_list(remove_view)),
        name="remove_view",
    ),
    _post("feeds/upload/", upload_now, name="upload_feed", permission=UPLOAD),
    _post(
        "feeds/<int:pk>/release/",
        step_up(release_upload),
        name="release_upload",
        permission=PROPOSE,
    ),
]
