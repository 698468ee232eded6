"""API keys: list, issue, and the page of a key."""

from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.integrations.forms import (
    OVERLAP_LABELS,
    OVERLAPS,
    KeyForm,
    RevokeForm,
    RotateForm,
)
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, field_filter, text_filter
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.security.confirmation import (
    NotConfirmed,
    confirmation_context,
    require_confirmed,
)
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import actor_in, text_of
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


LIST: Final = ListSpec(
    name="api-keys",
    filters=(
        text_filter(
            "owner", gettext_lazy("Owner"), lambda rows, value: rows.filter(owner__icontains=value)
        ),
        field_filter(
            "kind",
            gettext_lazy("Kind"),
            [
                (value, label)
                for value, label in ApiKey.Kind.choices
                if value != ApiKey.Kind.CUSTOMER
            ],
        ),
        choice_filter(
            "scope",
            gettext_lazy("Permissions"),
            [(scope.value, scope.value) for scope in Scope],
            lambda rows, value: rows.filter(scopes__contains=[value]),
        ),
    ),
    columns=(
        Column("key", gettext_lazy("Key"), lambda line: line.key.handle, sort="pk"),
        Column("owner", gettext_lazy("Owner"), lambda line: line.key.owner, sort="owner"),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line.badge)),
        Column(
            "permissions",
            gettext_lazy("Permissions"),
            lambda line: " ".join(scope.value for scope in line.scopes),
        ),
        Column(
            "used",
            gettext_lazy("Last used"),
            lambda line: line.key.use.used_at if hasattr(line.key, "use") else None,
            Kind.MOMENT,
            "use__used_at",
        ),
        Column(
            "expires",
            gettext_lazy("Expires"),
            lambda line: line.key.expires_at,
            Kind.MOMENT,
            "expires_at",
        ),
    ),
)


def show_keys(request: HttpRequest) -> HttpResponse:
    """The keys of programs, newest first. Tokens of customers are not listed."""
    keys = ApiKey.objects.exclude(kind=ApiKey.Kind.CUSTOMER)
    context = {"title": _("API keys"), "may_manage": request.user.has_perm(MANAGE)}
    rows = keys.select_related("revocation", "use").prefetch_related("secrets")
    template = "backoffice/integrations/keys.html"
    return show_list(request, LIST, rows, template, context, lines_of=_lines)


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
    answer = show(request, "backoffice/integrations/token.html", context)
    answer.is_saved = True  # type: ignore[attr-defined]  # its draft is done with
    return answer


def _lines(keys: list[ApiKey]) -> list[KeyRow]:
    return [_line(key) for key in keys]


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
