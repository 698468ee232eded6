"""Unlock an account after failed logins."""

from axes.handlers.proxy import AxesProxyHandler
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from casino.access.changes import record_and_notify
from casino.access.lockout_by_account import failures_of
from casino.access.requests import AccessError
from casino.backoffice.people.messages import access_error_message
from casino.backoffice.security.confirmation import require_confirmed
from casino.backoffice.site.actions import show_errors
from casino.backoffice.site.form_data import text_of
from compliance.trail.people import name_of


def unlock_account(request: HttpRequest, person: int) -> HttpResponse:
    """Reset the failed logins of an account.

    Requires a confirmed second factor. The person and compliance are notified, because unlocking
    permits further attempts.
    """
    owner = get_object_or_404(User, pk=person)
    with show_errors(request, AccessError, message=access_error_message):
        require_confirmed(request, text_of(request, "code"))  # a wrong code must stay counted
        _unlock(request, owner)
        message = _("%(person)s's failed logins were reset and the account is unlocked.")
        messages.success(request, message % {"person": name_of(owner)})
    return redirect("person", owner.pk)


@transaction.atomic
def _unlock(request: HttpRequest, owner: User) -> None:
    failures = failures_of(owner.get_username())
    AxesProxyHandler.reset_attempts(username=owner.get_username())
    record_and_notify(request, "ACCOUNT_UNLOCKED", owner, {"failures": failures})
