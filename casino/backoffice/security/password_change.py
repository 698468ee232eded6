"""Change of the user's password. The change is recorded."""

from http import HTTPStatus

from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.access.account_status import add_event
from casino.access.audit import record_access
from casino.access.current_user import request_user
from casino.access.end_sessions import end_sessions_of
from casino.access.lockout_by_account import remember_browser
from casino.access.lockout_by_address import is_locked, knows_password, lockout_message
from casino.access.models import AccessEvent
from casino.access.second_factor import has_factor
from casino.backoffice.security.confirmation import confirm_first, is_confirmed


def change_password(request: HttpRequest) -> HttpResponse:
    """Django's page, after the second factor; it asks for the previous password itself."""
    if has_factor(request_user(request)) and not is_confirmed(request):
        return confirm_first(request, back_to=request.path)
    if request.method == "POST" and (error := _refused(request)):
        messages.error(request, error)
        return redirect("change_password")
    with transaction.atomic():
        answer = admin.site.password_change(request)
        if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
            record_access(request, "PASSWORD_CHANGED", request_user(request))
            end_sessions_of(request, request_user(request))
            add_event(request_user(request), AccessEvent.Kind.PASSWORD_CHANGED)
            remember_browser(request, request_user(request))
    return answer


def _refused(request: HttpRequest) -> str:
    """Why the change is refused; empty fields and weak passwords are left to the form.

    A wrong old password counts as a failed login: at a page left open nobody tries them all.
    """
    old, new = request.POST.get("old_password", ""), request.POST.get("new_password1", "")
    if new != "" and new == old:
        return _("Choose a password different from the previous one.")
    person = request_user(request)
    if not old or knows_password(request, person, old):
        return ""
    if is_locked(request, person.get_username()):
        return lockout_message(request, person.get_username())
    return _("The previous password is incorrect.")
