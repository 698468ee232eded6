"""Studio keys: list, proposal, and the page of a key with its approval and revocation."""

from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import text_filter, time_filters
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.security.confirmation import (
    NotConfirmed,
    confirmation_context,
    require_confirmed,
)
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import text_of
from casino.backoffice.site.views import show
from casino.backoffice.studio_keys.forms import NoteForm, StudioKeyForm
from casino.backoffice.studio_keys.messages import ERRORS, error_message
from rounds.field_errors import InvalidField
from rounds.models import SignedBatch, StudioKey, StudioKeyStep
from rounds.services.studio_keys import (
    approve_studio_key,
    propose_studio_key,
    revoke_studio_key,
)
from rounds.signatures.public_keys import to_base64url
from rounds.signatures.studio_keys import KeyStatus, status_of

LOOK: Final = "rounds.view_studiokey"
PROPOSE: Final = "rounds.propose_studio_key"
APPROVE: Final = "rounds.approve_studio_key"
REVOKE: Final = "rounds.revoke_studio_key"


class KeyRow(NamedTuple):
    """A key in the list."""

    key: StudioKey
    status: KeyStatus
    steps: list[StudioKeyStep]

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return f"studio-key-{self.status.value}"


LIST: Final = ListSpec(
    name="studio-keys",
    filters=(
        text_filter(
            "studio",
            gettext_lazy("Studio"),
            lambda rows, value: rows.filter(studio__icontains=value),
        ),
        text_filter(
            "table",
            gettext_lazy("Table"),
            lambda rows, value: rows.filter(tables__contains=[value]),
            placeholder=gettext_lazy("Code"),
        ),
        *time_filters("valid_from"),
    ),
    columns=(
        Column("key", gettext_lazy("Studio key"), lambda line: line.key.key_id, sort="pk"),
        Column("studio", gettext_lazy("Studio"), lambda line: line.key.studio, sort="studio"),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line.badge)),
        Column("tables", gettext_lazy("Tables"), lambda line: ", ".join(line.key.tables)),
        Column(
            "from",
            gettext_lazy("Valid from"),
            lambda line: line.key.valid_from,
            Kind.MOMENT,
            "valid_from",
        ),
        Column(
            "until",
            gettext_lazy("Valid until"),
            lambda line: line.key.valid_until,
            Kind.MOMENT,
            "valid_until",
        ),
    ),
)


def show_studio_keys(request: HttpRequest) -> HttpResponse:
    """All keys, newest first."""
    context = {"title": _("Studio keys"), "may_propose": request.user.has_perm(PROPOSE)}
    rows = StudioKey.objects.prefetch_related("steps")
    template = "backoffice/studio_keys/keys.html"
    return show_list(request, LIST, rows, template, context, lines_of=_lines)


def propose(request: HttpRequest) -> HttpResponse:
    """The form of a new key."""
    form = StudioKeyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            require_confirmed(request, text_of(request, "code"))
            proposal = form.proposal()
            key = propose_studio_key(
                studio=proposal.studio,
                public_key=proposal.public_key,
                tables=proposal.tables,
                valid_from=proposal.valid_from,
                valid_until=proposal.valid_until,
                reason=proposal.reason,
                at=decided_at(request),
                actor=signing_actor(request),
            )
        except InvalidField as error:
            form.refuse(error)
        except NotConfirmed as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Studio key saved. Another person must approve it."))
            return redirect("studio_key", key.pk)
    context = {
        "title": _("Register a studio key"),
        "parent": _list(),
        "form": form,
        **confirmation_context(request),
    }
    return show(request, "backoffice/studio_keys/propose.html", context)


def show_studio_key(request: HttpRequest, pk: int) -> HttpResponse:
    """A key: what it signs for, who decided, and the actions."""
    key = get_object_or_404(StudioKey.objects.prefetch_related("steps"), pk=pk)
    line = _line(key)
    user = request_user(request)
    is_proposed = line.status == KeyStatus.PROPOSED
    context = {
        "title": _("Studio key %(key_id)s") % {"key_id": key.key_id[:8]},
        "parent": _list(),
        "line": line,
        "public_key": to_base64url(bytes(key.public_key)),
        "last_batch": SignedBatch.objects.filter(key=key).order_by("-pk").first(),
        "is_proposed": is_proposed,
        "may_approve": is_proposed and user.has_perm(APPROVE) and user.pk != key.actor_user_id,
        "may_revoke": user.has_perm(REVOKE)
        and line.status not in (KeyStatus.REVOKED, KeyStatus.REJECTED),
        **confirmation_context(request),
    }
    return show(request, "backoffice/studio_keys/key.html", context)


def approve(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve a key that another person proposed."""
    get_object_or_404(StudioKey, pk=pk)
    with show_errors(request, *ERRORS, message=error_message):
        require_confirmed(request, text_of(request, "code"))
        approve_studio_key(key_id=pk, at=decided_at(request), actor=signing_actor(request))
        messages.success(request, _("Studio key approved. It signs from now on."))
    return redirect("studio_key", pk)


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke or reject a key, immediately and for ever."""
    get_object_or_404(StudioKey, pk=pk)
    with show_errors(request, *ERRORS, message=error_message):
        data = cleaned_data_of(NoteForm(request.POST))
        require_confirmed(request, data["code"])
        revoke_studio_key(
            key_id=pk, note=data["note"], at=decided_at(request), actor=signing_actor(request)
        )
        messages.success(request, _("Studio key revoked. It signs nothing more."))
    return redirect("studio_key", pk)


def _lines(keys: list[StudioKey]) -> list[KeyRow]:
    return [_line(key) for key in keys]


def _line(key: StudioKey) -> KeyRow:
    steps = sorted(key.steps.all(), key=lambda step: step.sequence)
    return KeyRow(key, status_of(key, steps, at=timezone.now()), steps)


def _list() -> dict[str, str]:
    return {"title": _("Studio keys"), "address": reverse("studio_keys")}
