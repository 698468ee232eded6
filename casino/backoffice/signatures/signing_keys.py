"""Signing keys: the user's own, and those that wait for approval."""

from typing import Final, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.browser_keys import verified_browser_key
from casino.access.current_user import request_user
from casino.access.notices import notify_about
from casino.access.passkeys import (
    INVALID_ANSWER,
    NewSigningKey,
    signing_key_options,
    verified_signing_key,
)
from casino.backoffice.security.confirmation import confirm_first, is_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import show_errors
from casino.backoffice.site.form_data import actor_in, text_of
from casino.backoffice.site.views import show
from compliance.signatures import manage_keys
from compliance.signatures.assertions import InvalidAssertion
from compliance.signatures.manage_keys import SigningKeyError, register_key
from compliance.signatures.models import SigningKey, SigningKeyStep
from compliance.signatures.queries import KeyStatus, approvals_of, keys_of, status_of_key

LOOK: Final = "signatures.view_signingkey"
DECIDE: Final = "signatures.decide_signing_key"
_DECISIONS: Final = {
    "approve": manage_keys.approve_key,
    "reject": manage_keys.reject_key,
    "revoke": manage_keys.revoke_key,
}
_PAST: Final = {"approve": "APPROVED", "reject": "REJECTED", "revoke": "REVOKED"}
_MESSAGES: Final[dict[type[Exception], str | Promise]] = {
    manage_keys.KeyKnown: gettext_lazy("This key is already registered."),
    manage_keys.HolderCannotApprove: gettext_lazy(
        "Another person must approve this key, not its holder."
    ),
    manage_keys.ApprovedAlready: gettext_lazy(
        "You approved this key already. Another person must approve it as well."
    ),
    manage_keys.KeyDecided: gettext_lazy("This key has been decided about in the meantime."),
    manage_keys.BrowserKeysOff: gettext_lazy("Keys in browsers are not accepted here."),
    manage_keys.NoteRequired: gettext_lazy("Enter a reason."),
}


class KeyRow(NamedTuple):
    """A key in the list."""

    key: SigningKey
    status: KeyStatus
    decided: list[SigningKeyStep]
    """The approvals so far, or the step that rejected or revoked the key."""
    is_own: bool
    is_approved_by_user: bool

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return f"signing-key-{self.status.replace('_', '-')}"

    @property
    def may_be_revoked(self) -> bool:
        """Whether it signs, or will sign when the decision delay is over."""
        return self.status in {KeyStatus.DELAYED, KeyStatus.IN_FORCE}


def show_keys(request: HttpRequest) -> HttpResponse:
    """All keys; those that wait for approval first."""
    keys = SigningKey.objects.prefetch_related("steps").order_by("-registered_at", "id")
    rows = [_row(request, key) for key in keys]
    context = {
        "title": _("Signing keys"),
        "pending": [row for row in rows if row.status is KeyStatus.PENDING],
        "decided": [row for row in rows if row.status is not KeyStatus.PENDING],
        "may_decide": request.user.has_perm(DECIDE),
    }
    return show(request, "backoffice/signatures/keys.html", context)


def register(request: HttpRequest) -> HttpResponse:
    """Register a security key of the user for signing decisions, or a key in their browser."""
    person = request_user(request)
    if not is_confirmed(request):
        return confirm_first(request, back_to=request.path)
    error = ""
    if request.method == "POST":
        error = _error_registering(request, person)
        if not error:
            messages.success(request, _("Signing key added. Two other persons must approve it."))
            return redirect("security")
    context = {
        "title": _("Add a signing key"),
        "parent": {"title": _("Security"), "address": reverse("security")},
        "question": signing_key_options(request, person),
        "offers_browser_key": settings.BROWSER_KEYS,
        "error": error,
    }
    return show(request, "backoffice/signatures/register.html", context)


def decide(request: HttpRequest, key_id: str, decision: str) -> HttpResponse:
    """Approve, reject or revoke a key, signed."""
    key = get_object_or_404(SigningKey, pk=key_id)
    if decision not in _DECISIONS:
        raise Http404
    with show_errors(request, SigningKeyError, message=_error_message):
        at, actor = decided_at(request), signing_actor(request)
        _DECISIONS[decision](key_id=key.pk, note=text_of(request, "reason"), at=at, actor=actor)
        holder = User.objects.filter(pk=key.person_id).first()
        if holder is not None:
            notify_about(holder, f"SIGNING_KEY_{_PAST[decision]}", actor=actor.name, at=at)
        messages.success(request, _("Decision recorded."))
    return redirect("signing_keys")


def own_rows(request: HttpRequest) -> list[KeyRow]:
    """The user's keys, for the page Security."""
    return [_row(request, key) for key in keys_of(request_user(request).pk)]


def _row(request: HttpRequest, key: SigningKey) -> KeyRow:
    latest = max(key.steps.all(), key=lambda step: step.sequence, default=None)
    status = status_of_key(key, at=timezone.now())
    user, approvals = request_user(request).pk, approvals_of(key)
    return KeyRow(
        key,
        status,
        approvals if latest is None or latest in approvals else [latest],
        is_own=key.person_id == user,
        is_approved_by_user=user in {step.actor_user_id for step in approvals},
    )


def _error_registering(request: HttpRequest, person: User) -> str:
    try:
        new = _new_key(request)
        with transaction.atomic():
            key = register_key(
                public=new.public,
                credential_id=new.credential_id,
                label=text_of(request, "name"),
                at=timezone.now(),
                actor=actor_in(request),
            )
            notify_about(
                person, "SIGNING_KEY_REGISTERED", actor=key.person_name, at=key.registered_at
            )
    except (*INVALID_ANSWER, InvalidAssertion):
        return _("The browser did not create a usable signing key.")
    except SigningKeyError as error:
        return _error_message(error)
    return ""


def _new_key(request: HttpRequest) -> NewSigningKey:
    if answer := request.POST.get("browser_key", ""):
        return verified_browser_key(request, answer)
    return verified_signing_key(request, request.POST.get("credential", ""))


def _error_message(error: Exception) -> str:
    return str(_MESSAGES[type(error)])
