"""How long the session still lasts, for the scripts of open pages."""

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from casino.access.session_store import is_own_action

_FORBIDDEN: Final = 403


@require_GET
def session_status(request: HttpRequest) -> HttpResponse:
    """The seconds until the session ends, and whether a person who goes on postpones that.

    Answers 403 once it has ended. Asked for by a script it keeps no session alive; asked for as a
    page (``Accept: text/html``), because a person pressed a button, it does.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=_FORBIDDEN)
    session: Any = request.session  # of our engine
    now = timezone.now()
    used_at = now if is_own_action(request) else session.seen_at
    unused = used_at + settings.SESSION_IDLE_TIME - now
    whole = session.get_expiry_date() - now
    return JsonResponse(
        {
            "seconds": max(0, int(min(unused, whole).total_seconds())),
            "can_be_extended": unused < whole,
        }
    )
