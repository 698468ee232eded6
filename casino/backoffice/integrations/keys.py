"""API keys: list, issue, and the page of a key."""

from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.integrations.forms import (
    OVERLAP_LABELS,
    OVERLAPS,
    KeyForm,
    RevokeForm,
    RotateForm,
)
from casino.backoffice.security.confirmation import (
    NotConfirmed,
    confirmation_context,
    require_confirmed,
)
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import actor_in, text_of
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.views import show
from casino.integrations.issue_key import IssuedKey, issue_key
from casino.integrations.key_status import KeyStatus, overlap_of, status_of_key
from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_key
from casino.integrations.rotate_key import rotate_key
from casino.integrations.scopes import Scope
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField

LOOK: Final = "api.view_apikey"
"""Permission to view keys."""
MANAGE: Final = "api.manage_keys"
"""Permission to issue, rotate and revoke keys."""


class KeyRow(NamedTuple):
    """A key in the list."""

    key: ApiKey
    status: KeyStatus
    scopes: list[Scope]

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return f"key-{self.status.value}"


def show_keys(request: HttpRequest) -> HttpResponse:
    """The keys of programs, newest first. Tokens of customers are not listed."""
    keys = ApiKey.objects.exclude(kind=ApiKey.Kind.CUSTOMER)
    page = page_of(
        keys.select_related("revocation", "use").prefetch_related("secrets"), request.GET
    )
    context = {
        "title": _("API keys"),
        "page": page,
        "rows": [_line(key) for key in page.rows],
        "may_manage": request.user.has_perm(MANAGE),
    }
    return show(request, "backoffice/integrations/keys.html", context)


def issue(request: HttpRequest) -> HttpResponse:
    """The form of a new key; then its token, shown once."""
    form = KeyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            require_confirmed(request, text_of(request, "code"))
            issued = issue_key(new=form.new_key(), at=timezone.now(), actor=actor_in(request))
        except InvalidField as error:
            form.refuse(error)
        except NotConfirmed as error:
            form.add_error(None, str(error))
        else:
            return _show_token(request, issued)
    context = {
        "title": _("Issue a key"),
        "parent": _list(),
        "form": form,
        **confirmation_context(request),
    }
    return show(request, "backoffice/integrations/issue.html", context)


def show_key(request: HttpRequest, pk: int) -> HttpResponse:
    """A key: permissions, secrets and actions."""
    key = get_object_or_404(ApiKey.objects.select_related("revocation", "use"), pk=pk)
    secrets = list(key.secrets.order_by("-sequence"))
    context = {
        "title": _("Key %(handle)s") % {"handle": key.handle},
        "parent": _list(),
        "line": _line(key),
        "secrets": secrets,
        "overlap_until": overlap_of(key),
        "seen": secrets[0].sequence,
        "overlaps": OVERLAP_LABELS.items(),
        "may_manage": request.user.has_perm(MANAGE) and _is_managed(key),
        **confirmation_context(request),
    }
    return show(request, "backoffice/integrations/key.html", context)


def rotate(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a new secret, shown once."""
    get_object_or_404(ApiKey, pk=pk)
    answer: HttpResponse = redirect("api_key", pk)
    with show_errors(request, StaleState, InvalidField, message=_error_message):
        data = cleaned_data_of(RotateForm(request.POST))
        require_confirmed(request, data["code"])
        rotated = rotate_key(
            key_id=pk,
            seen=data["seen"],
            overlap=OVERLAPS[data["overlap"]],
            at=timezone.now(),
            actor=actor_in(request),
        )
        answer = _show_token(request, rotated)
    return answer  # noqa: RET504  set above, where no error was shown


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a key immediately."""
    get_object_or_404(ApiKey, pk=pk)
    with show_errors(request, StaleState, InvalidField, message=_error_message):
        data = cleaned_data_of(RevokeForm(request.POST))
        require_confirmed(request, data["code"])
        revoke_key(key_id=pk, reason=data["reason"], at=timezone.now(), actor=actor_in(request))
        messages.success(request, _("Key revoked. Requests that use it are now rejected."))
    return redirect("api_key", pk)


def _show_token(request: HttpRequest, issued: IssuedKey) -> HttpResponse:
    context = {
        "title": _("Token of %(owner)s") % {"owner": issued.key.owner},
        "parent": _list(),
        "key": issued.key,
        "token": issued.token,
    }
    return show(request, "backoffice/integrations/token.html", context)


def _line(key: ApiKey) -> KeyRow:
    scopes = [Scope(scope) for scope in key.scopes if scope in Scope.values]
    return KeyRow(key, status_of_key(key, at=timezone.now()), scopes)


def _is_managed(key: ApiKey) -> bool:
    return status_of_key(key, at=timezone.now()) in (KeyStatus.IN_FORCE, KeyStatus.ROTATING)


def _error_message(error: StaleState | InvalidField) -> str:
    if isinstance(error, InvalidField):
        params = {"found": error.found, "needed": error.needed}
        return _("Found %(found)s; expected %(needed)s") % params
    return _("This key was rotated or revoked by another user. Your change was not saved.")


def _list() -> dict[str, str]:
    return {"title": _("API keys"), "address": reverse("api_keys")}
