"""The drafts of the logged-in person, as the script of the page reads and writes them."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from casino.access.current_user import request_user
from casino.backoffice.drafts.stored_drafts import delete_draft, draft_of, save_draft
from rounds.formatting import moment

MOST_BYTES: Final = 1 << 16
"""The largest draft, as JSON."""
_LONGEST_FORM: Final = 300
_DONE: Final = 204
_TOO_LARGE: Final = 413


@require_http_methods(["GET", "POST", "DELETE"])
def show_draft(request: HttpRequest) -> HttpResponse:
    """The draft of ``?form=``; POST saves its body, DELETE discards it. Raises BadRequest."""
    owner, form, now = request_user(request), _form_of(request.GET), timezone.now()
    if request.method == "GET":
        draft = draft_of(owner=owner, form=form, at=now)
        return JsonResponse({} if draft is None else {"content": draft.content, **_texts(draft)})
    if request.method == "DELETE":
        delete_draft(owner=owner, form=form)
    elif len(request.body) > MOST_BYTES:
        return HttpResponse(status=_TOO_LARGE)
    else:
        save_draft(owner=owner, form=form, content=_content_of(request.body), at=now)
    return HttpResponse(status=_DONE)


def _texts(draft: Any) -> dict[str, str]:
    """What the page says of a restored draft."""
    restored = _("Draft of %(when)s restored. It was not submitted.")
    return {"message": restored % {"when": moment(draft.saved_at)}, "discard": _("Discard")}


def _form_of(query: Mapping[str, str]) -> str:
    form = query.get("form", "")
    if not form.startswith("/") or len(form) > _LONGEST_FORM or "\0" in form:
        raise BadRequest("form")
    return form


def _content_of(body: bytes) -> Any:
    """The fields of the form: each with its name, type, choice and value."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("content") from error
    if not isinstance(content, list) or not all(isinstance(field, list) for field in content):
        raise BadRequest("content")
    return content
