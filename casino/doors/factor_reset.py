"""A phone was lost: an administrator takes away what proved that it was its owner."""

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from casino.doors.session_pages import end_sessions_of
from payouts.pages.access_trail import record_access
from payouts.pages.own_pages import person_of


def reset_factors(request: HttpRequest, person: int) -> HttpResponse:
    """Removes all second factors of somebody else and ends their sessions."""
    owner = get_object_or_404(User, pk=person)
    if owner == person_of(request):
        messages.error(request, _("Your own second factors are on your page Security."))
        return redirect("security")
    with transaction.atomic():
        removed = Authenticator.objects.filter(user=owner)
        kinds = sorted(removed.values_list("type", flat=True))
        removed.delete()
        end_sessions_of(request, owner)
        record_access(request, "FACTORS_RESET", owner, {"removed": kinds})
    words = _("%(person)s has no second factor any more, and adds a new one after the next login.")
    messages.success(request, words % {"person": owner.get_full_name() or owner.get_username()})
    return redirect("admin:auth_user_change", owner.pk)
