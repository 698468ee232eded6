"""A recent second factor for forms and files that have no field for it.

``tests/casino/backoffice/security/test_step_up.py`` lists every form of the site, with the reason
of those that need none.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.security.confirmation import confirm_first, confirm_with_code, is_confirmed
from casino.backoffice.signatures.signing import PREPARES
from casino.backoffice.site.actions import UNSAVED
from casino.backoffice.site.error_pages import page_before
from casino.backoffice.site.form_data import text_of

_View = Callable[..., HttpResponseBase]


def step_up(view: _View) -> _View:
    """The view, whose form a confirmed session sends; others are led to confirm, and back.

    The entries are kept as a draft, and nothing of the view runs.
    """

    @wraps(view)
    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if request.method != "POST" or is_confirmed(request):
            return view(request, **arguments)
        code = text_of(request, "code")
        if code and confirm_with_code(request, code):
            return view(request, **arguments)
        if PREPARES not in request.headers:  # else the browser sends the form again, for this page
            message = _("Confirm your identity first. What you entered is kept.")
            messages.warning(request, message, extra_tags=UNSAVED)
        back_to = page_before(request) or reverse("admin:index")
        return confirm_first(request, back_to=back_to)

    return guarded


def step_up_to_download(request: HttpRequest) -> HttpResponse | None:
    """The way to confirm before a file of many rows, and back to it; None if it may be sent."""
    if is_confirmed(request):
        return None
    return confirm_first(request, back_to=request.get_full_path())
