"""Access requests: pending and decided."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.access.current_user import request_user
from casino.access.models import AccessRequest
from casino.access.requests import AccessError, approve_access, reject_access
from casino.access.roles import role_label
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    field_filter,
    person_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.people.directory_requests import directory_context, withdrawn_roles
from casino.backoffice.people.forms import ApprovalForm, ReasonForm
from casino.backoffice.people.messages import access_error_message
from casino.backoffice.people.person_page import show_outcome
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import text_of
from compliance.trail.people import name_of
from rounds.formatting import NONE

LOOK: Final = "casino.view_accessrequest"
DECIDE: Final = "casino.decide_access"


class RequestRow(NamedTuple):
    """An access request in the list."""

    row: AccessRequest
    person: str | None
    requested_by: str | None
    decided_by: str | None
    before: str
    after: str
    may_decide: bool
    withdrawn: list[str]
    """Roles that the directory asked for and has withdrawn since."""

    @property
    def roles(self) -> str:
        """The roles after it, and those before where they differ."""
        after = self.after or NONE
        return after if self.before == self.after else f"{self.before or NONE} → {after}"

    @property
    def badge(self) -> str:
        """The name of its badge."""
        decision = getattr(self.row, "decision", None)
        if decision is None:
            return "access-pending"
        return "access-approved" if decision.is_approved else "access-rejected"


LIST: Final = ListSpec(
    name="access-requests",
    filters=(
        person_filter(field="person_id"),
        field_filter("kind", gettext_lazy("Request"), AccessRequest.Kind.choices),
        choice_filter(
            "outcome",
            gettext_lazy("Outcome"),
            (
                ("approved", pgettext_lazy("request", "Approved")),
                ("rejected", pgettext_lazy("request", "Rejected")),
            ),
            lambda rows, value: rows.filter(decision__is_approved=value == "approved"),
        ),
        *time_filters("requested_at"),
    ),
    columns=(
        Column("request", gettext_lazy("Request"), lambda line: line.row.get_kind_display()),
        Column("person", gettext_lazy("Person"), lambda line: line.person),
        Column("roles", gettext_lazy("Roles"), lambda line: line.roles),
        Column(
            "requested",
            gettext_lazy("Requested"),
            lambda line: line.row.requested_at,
            Kind.MOMENT,
            "pk",
        ),
        Column("decided", gettext_lazy("Decided by"), lambda line: line.decided_by),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line.badge)),
    ),
)


def show_requests(request: HttpRequest) -> HttpResponse:
    """Requests that wait, then the list of decided ones, newest first."""

    def lines_of(rows: Iterable[AccessRequest]) -> list[RequestRow]:
        rows = list(rows)
        withdrawn = withdrawn_roles(row for row in rows if not hasattr(row, "decision"))
        return [_line(request, row, withdrawn.get(row.pk, [])) for row in rows]

    rows = AccessRequest.objects.select_related("person", "requested_by", "decision__decided_by")
    context = {
        "title": _("Access requests"),
        "pending": lines_of(rows.filter(decision=None).order_by("pk")),
        **directory_context(request),
        **confirmation_context(request),
    }
    template = "backoffice/people/requests.html"
    decided = rows.exclude(decision=None)
    return show_list(request, LIST, decided, template, context, lines_of=lines_of)


def approve(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve and execute a request. Shows the second half of a new password."""
    row = get_object_or_404(AccessRequest, pk=pk)
    answer: HttpResponse = redirect("access_requests")
    with show_errors(request, AccessError, message=access_error_message):
        data = cleaned_data_of(ApprovalForm(request.POST))
        require_confirmed(request, text_of(request, "code"))
        outcome = approve_access(
            request,
            row.pk,
            note=data["reason"],
            at=decided_at(request),
            actor=signing_actor(request),
        )
        answer = show_outcome(request, row.person, outcome)
    return answer  # noqa: RET504  reassigned where no error was shown


def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Reject a request."""
    row = get_object_or_404(AccessRequest, pk=pk)
    with show_errors(request, AccessError, message=access_error_message):
        note = cleaned_data_of(ReasonForm(request.POST))["reason"]
        require_confirmed(request, text_of(request, "code"))
        reject_access(
            request, row.pk, note=note, at=decided_at(request), actor=signing_actor(request)
        )
        messages.success(request, _("Request rejected. No change was made."))
    return redirect("access_requests")


def _line(request: HttpRequest, row: AccessRequest, withdrawn: list[str]) -> RequestRow:
    reader = request_user(request)
    decision = getattr(row, "decision", None)
    is_another = reader.pk not in {row.requested_by_id, row.person_id}
    return RequestRow(
        row,
        name_of(row.person),
        name_of(row.requested_by),
        name_of(decision.decided_by) if decision else None,
        ", ".join(map(role_label, row.roles_before)),
        ", ".join(map(role_label, row.roles_after)),
        decision is None and is_another and reader.has_perm(DECIDE),
        withdrawn,
    )
