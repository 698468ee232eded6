"""Logging in through the identity provider, and connecting an account with it.

Whoever the provider logs in has only passed the first of two steps: the second factor is asked for
here, as after a password. Nothing that the provider says makes an account or gives a role.
"""

import logging
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, Protocol

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from casino.access.account_status import status_of
from casino.access.audit import record_access
from casino.access.current_user import request_user
from casino.access.end_sessions import end_sessions_of
from casino.access.lockout_by_address import is_locked, lockout_message
from casino.access.models import OpenSession
from casino.access.notices import notify_about
from casino.access.second_factor import has_factor
from casino.access.single_sign_on import openid, saml
from casino.access.single_sign_on.configuration import Provider, SamlProvider
from casino.access.single_sign_on.flow import Finished, ProviderDown, Purpose, Refused
from casino.access.single_sign_on.identities import Identity, account_for, connect, disconnect
from casino.access.single_sign_on.refusals import count_refusal, counted_as, is_turned_away
from casino.backoffice.security.confirmation import (
    confirm_first,
    is_confirmed_by_both,
    local_address,
)
from casino.backoffice.security.login import await_second_step
from casino.backoffice.site.views import show
from compliance.trail.people import name_of

_LOG: Final = logging.getLogger(__name__)
_HERE: Final = "here"
_LONGEST_DETAIL: Final = 300
_WITHIN: Final = 600
"""Seconds in which the browser has to be back: as long as django-allauth keeps the state."""


class _View(Protocol):
    def __call__(self, request: HttpRequest, provider: Provider) -> HttpResponse: ...


def _with_provider(view: _View) -> Any:
    """The view, of an installation with single sign-on: others have no such page."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        provider = settings.SINGLE_SIGN_ON
        if provider is None:
            raise Http404
        try:
            return view(request, provider)
        except ProviderDown as error:
            _LOG.warning("single sign-on: %s", _line(str(error)))
            message = _(
                "%(provider)s cannot be reached or does not answer correctly. Try again in a few"
                " minutes; if it lasts, tell an administrator, who can log in with a password."
            )
            return _refuse(request, provider, message, HTTPStatus.SERVICE_UNAVAILABLE)
        except Refused as refusal:
            if is_turned_away(request):  # what a stranger sends on leaves nothing behind
                return _locked(request, provider, "")
            _LOG.warning("single sign-on: refused, %s: %s", refusal.reason, _line(refusal.detail))
            if refusal.is_counted:
                count_refusal(request, refusal.reason)
            return _refuse(request, provider, _message_of(refusal))

    return guarded


@require_POST
@_with_provider
def begin_login(request: HttpRequest, provider: Provider) -> HttpResponse:
    """Lead the browser to the provider."""
    if request.user.is_authenticated:
        return redirect("admin:index")
    if is_turned_away(request):
        return _locked(request, provider, "")
    purpose = Purpose(local_address(request.POST.get("next", "")))
    OpenSession.objects.filter(user=None, expire_date__lt=timezone.now()).delete()
    request.session.set_expiry(_WITHIN)
    return _lead(request, provider, purpose)


@require_POST
@_with_provider
def begin_connection(request: HttpRequest, provider: Provider) -> HttpResponse:
    """Lead the user to the provider, to connect their account with who they are there."""
    if not is_confirmed_by_both(request):
        return confirm_first(request, back_to=reverse("security"), by_both=True)
    purpose = Purpose(reverse("security"), person=request_user(request).pk)
    return _lead(request, provider, purpose)


@require_POST
@_with_provider
def end_connection(request: HttpRequest, provider: Provider) -> HttpResponse:
    """Disconnect the user's account from the provider."""
    if not is_confirmed_by_both(request):
        return confirm_first(request, back_to=reverse("security"), by_both=True)
    person = request_user(request)
    with transaction.atomic():
        if disconnect(person, provider.issuer):
            _record_change(request, person, "IDENTITY_DISCONNECTED", provider)
    messages.success(request, _("Disconnected. You log in with your password."))
    return redirect("security")


@csrf_exempt
@require_POST
@_with_provider
def receive_assertion(request: HttpRequest, provider: Provider) -> HttpResponse:
    """Where the provider's page posts a SAML answer to; the rest is up to ``finish``."""
    if not isinstance(provider, SamlProvider):
        raise Http404
    answer = redirect("finish_single_sign_on")
    saml.receive(request, provider, answer)
    return answer


@require_GET
@_with_provider
def show_metadata(request: HttpRequest, provider: Provider) -> HttpResponse:
    """What a SAML provider has to know of Sabot."""
    if not isinstance(provider, SamlProvider):
        raise Http404
    document = saml.metadata_of(request, provider)
    return HttpResponse(document, content_type="application/samlmetadata+xml")


@require_GET
@_with_provider
def finish(request: HttpRequest, provider: Provider) -> HttpResponse:
    """Where the browser comes back to: the end of a login, or of a connection.

    Coming from another site it has left cookies behind (SameSite=Strict), by which accounts know
    it: it is led here once more, from here.
    """
    if request.headers.get("Sec-Fetch-Site") == "cross-site" and _HERE not in request.GET:
        query = request.GET.copy()
        query[_HERE] = "1"
        return _lead_to(request, provider, f"{request.path}?{query.urlencode()}")
    if is_turned_away(request):
        return _locked(request, provider, "")
    if isinstance(provider, SamlProvider):
        finished = saml.finish(request, provider)
    else:
        finished = openid.finish(request, provider)
    if finished.purpose.is_connection:
        return _connected(request, provider, finished)
    return _logged_in(request, provider, finished)


def _lead(request: HttpRequest, provider: Provider, purpose: Purpose) -> HttpResponse:
    """A page that leads on: a redirect after a form may lead to no other site (form-action)."""
    if isinstance(provider, SamlProvider):
        return _lead_to(request, provider, saml.begin(request, provider, purpose))
    return _lead_to(request, provider, openid.begin(request, provider, purpose))


def _lead_to(request: HttpRequest, provider: Provider, address: str) -> HttpResponse:
    context = {"title": _("Single sign-on"), "provider": provider, "address": address}
    return show(request, "admin/single_sign_on.html", context)


def _logged_in(request: HttpRequest, provider: Provider, finished: Finished) -> HttpResponse:
    """The second step, for the owner of the identity's account."""
    person = account_for(finished.identity)
    name = person.get_username() if person else counted_as(finished.identity)
    if is_locked(request, name):
        return _locked(request, provider, name)
    if person is None or not person.is_active or person.is_superuser:
        return _unknown(request, provider, finished.identity, person)
    if status_of(person).must_change_password:
        message = _(
            "Your account has a one-time password. Log in with it first, and choose a password"
            " of your own; after that you can log in with %(provider)s."
        )
        return _refuse(request, provider, message)
    if not has_factor(person):
        message = _(
            "Your account has no second factor. Log in with your password and add a phone or a"
            " passkey; after that you can log in with %(provider)s."
        )
        return _refuse(request, provider, message)
    back_to = local_address(finished.purpose.back_to)
    return await_second_step(request, person, back_to=back_to, method=provider.method)


def _unknown(
    request: HttpRequest, provider: Provider, identity: Identity, closed: User | None
) -> HttpResponse:
    if closed is not None:
        count_refusal(request, "inactive_account", person=closed, identity=identity)
    else:
        count_refusal(request, "unknown_identity", identity=identity)
    message = _(
        "%(provider)s knows you, but no open account here is connected with you. If you have an"
        " account, log in with your password and connect it on the page Security; else ask an"
        " administrator for one."
    )
    return _refuse(request, provider, message)


def _connected(request: HttpRequest, provider: Provider, finished: Finished) -> HttpResponse:
    """Back on the page Security, with the account connected."""
    if not request.user.is_authenticated or request.user.pk != finished.purpose.person:
        raise Refused("other_person")
    if not is_confirmed_by_both(request):
        messages.warning(request, _("Confirm your identity and connect the account once more."))
        return confirm_first(request, back_to=reverse("security"), by_both=True)
    person = request_user(request)
    with transaction.atomic():
        is_new = connect(person, finished.identity)
        if is_new:
            _record_change(request, person, "IDENTITY_CONNECTED", provider, finished.identity)
    if is_new:
        message = _("Connected. You can log in with %(provider)s and your second factor.")
        messages.success(request, message % {"provider": provider.name})
    else:
        message = _("Not connected: your account or this identity is connected already.")
        messages.error(request, message)
    return redirect("security")


def _record_change(
    request: HttpRequest,
    person: User,
    action: str,
    provider: Provider,
    identity: Identity | None = None,
) -> None:
    """Records it and notifies; other sessions end, as at every change of how they log in."""
    details = {"method": provider.method, "issuer": provider.issuer}
    if identity is not None:
        details["identity"] = identity.digest
    record_access(request, action, person, details)
    end_sessions_of(request, person)
    notify_about(person, action, actor=name_of(person) or "", at=timezone.now())


def _line(text: str) -> str:
    """For the log: what others wrote makes no further lines."""
    return text[:_LONGEST_DETAIL].encode("unicode_escape").decode()


def _message_of(refusal: Refused) -> str:
    if refusal.reason == "unknown_state":
        return _("This login was not begun in this browser, was used already or took too long.")
    if refusal.reason == "denied_by_provider":
        return _("%(provider)s did not log you in.")
    return _("The answer of %(provider)s is not valid for this login.")


def _locked(request: HttpRequest, provider: Provider, name: str) -> HttpResponse:
    message = lockout_message(request, name).replace("%", "%%")
    return _refuse(request, provider, message, HTTPStatus.TOO_MANY_REQUESTS)


def _refuse(
    request: HttpRequest,
    provider: Provider,
    message: str,
    status: HTTPStatus = HTTPStatus.FORBIDDEN,
) -> HttpResponse:
    context = {
        "title": _("Single sign-on"),
        "provider": provider,
        "error": message % {"provider": provider.name},
    }
    page = show(request, "admin/single_sign_on.html", context)
    page.status_code = status
    return page
