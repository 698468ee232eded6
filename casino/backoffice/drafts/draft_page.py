"""The drafts of the logged-in person, as the script of the page reads and writes them."""

from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from casino.access.current_user import request_user
from casino.backoffice.drafts.stored_drafts import Draft, delete_draft, drafts_of, save_draft
from rounds.formatting import moment

_DONE: Final = 204
_JSON: Final = "application/json"


@require_http_methods(["GET", "POST", "DELETE"])
def show_drafts(request: HttpRequest) -> HttpResponse:
    """The drafts of each ``?form=``; POST saves its body, DELETE discards. Raises BadRequest."""
    owner, now = request_user(request), timezone.now()
    if request.method == "GET":
        drafts = drafts_of(owner=owner, forms=request.GET.getlist("form"), at=now)
        return JsonResponse({form: _shown(draft) for form, draft in drafts.items()})
    form = request.GET.get("form", "")
    if request.method == "DELETE":
        delete_draft(owner=owner, form=form)
        return HttpResponse(status=_DONE)
    if request.content_type != _JSON:  # a form, whose body the middleware has parsed already
        raise BadRequest("draft")
    try:
        save_draft(owner=owner, form=form, content=request.body, at=now)
    except (ValueError, RecursionError) as error:
        raise BadRequest("draft") from error
    return HttpResponse(status=_DONE)


def _shown(draft: Draft) -> dict[str, Any]:
    """The content, and what the page says of it."""
    restored = _("Draft of %(when)s restored. It was not submitted.")
    message = restored % {"when": moment(draft.saved_at)}
    return {"content": draft.content, "message": message, "discard": _("Discard")}
