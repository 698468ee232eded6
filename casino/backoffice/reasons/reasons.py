"""The managed list of reasons."""

from typing import Any, Final

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column
from casino.backoffice.lists.filters import choice_filter, field_filter
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import number_of, text_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from casino.backoffice.site.views import show
from compliance.trail.models import AuditRecord
from compliance.trail.queries import changes_after
from compliance.trail.steps import StaleState
from payouts.cases.manage_reasons import Wording, add_reason, change_reason, wording_of
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reason_in_force, reasons_in_force
from rounds.field_errors import InvalidField

MANAGE: Final = "payouts.manage_reasons"
"""Permission to add and change reasons."""

_LIST: Final = "admin:payouts_reason_changelist"
_STATES: Final = ("in-use", "out-of-use")


@admin.register(Reason)
class ReasonAdmin(ReadOnlyAdmin):
    """The reasons in force, by purpose."""

    spec = ListSpec(
        name="reasons",
        filters=(
            field_filter("purpose", gettext_lazy("Reason for"), Reason.Purpose.choices),
            choice_filter(
                "status",
                gettext_lazy("Status"),
                lambda: [(state, badge_label(state)) for state in _STATES],
                lambda rows, state: rows.filter(is_active=state == "in-use"),
            ),
        ),
        columns=(
            Column("code", gettext_lazy("Code"), lambda row: row.code, sort="code"),
            Column("italian", gettext_lazy("In Italian"), lambda row: row.text_it, sort="text_it"),
            Column("english", gettext_lazy("In English"), lambda row: row.text_en, sort="text_en"),
            Column(
                "purpose",
                gettext_lazy("Reason for"),
                lambda row: row.get_purpose_display(),
                sort="purpose",
            ),
            Column(
                "regulator",
                gettext_lazy("Regulator"),
                lambda row: _("decides first") if row.needs_regulator else "",
            ),
            Column(
                "status",
                gettext_lazy("Status"),
                lambda row: badge_label(_STATES[not row.is_active]),
            ),
        ),
        sort="purpose",
    )
    list_template = "backoffice/reasons/reasons.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """The version in force of each reason."""
        return reasons_in_force()

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Whether the user may add and change reasons."""
        return {"may_manage": request.user.has_perm(MANAGE)}

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Redirect to the form of the reason."""
        return redirect(_LIST)


def add(request: HttpRequest) -> HttpResponse:
    """The form of a new reason."""
    typed = {"code": text_of(request, "code"), "purpose": text_of(request, "purpose")}
    wording, error = _wording(request), None
    if request.method == "POST":
        try:
            add_reason(
                code=typed["code"],
                purpose=typed["purpose"],
                wording=wording,
                at=decided_at(request),
                actor=signing_actor(request),
            )
        except InvalidField as invalid:
            error = invalid
        else:
            messages.success(request, _("Reason added."))
            return redirect(_LIST)
    else:
        wording = wording._replace(is_active=True)
    context = {"title": _("Add a reason"), "typed": typed, "wording": wording, "error": error}
    return _form(request, context)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a reason; shows changes made in the meantime."""
    reason = reason_in_force(get_object_or_404(Reason, pk=pk).code)
    if reason is None:
        raise Http404
    wording, seen, extra = wording_of(reason), reason.version, dict[str, Any]()
    if request.method == "POST":
        wording, seen = _wording(request), number_of(request, "seen")
        try:
            change_reason(
                code=reason.code,
                wording=wording,
                seen=seen,
                at=decided_at(request),
                actor=signing_actor(request),
            )
        except InvalidField as error:
            extra = {"error": error}
        except StaleState as error:
            reason = error.latest
            extra = {"changes": _changes_since(reason, seen)}
            seen = reason.version
        else:
            messages.success(request, _("Reason saved. Past decisions keep the previous wording."))
            return redirect(_LIST)
    typed = {"code": reason.code, "purpose": reason.purpose}
    title = _("Change %(code)s") % {"code": reason.code}
    context = {"title": title, "reason": reason, "typed": typed, "wording": wording, "seen": seen}
    return _form(request, {**context, **extra})


def _wording(request: HttpRequest) -> Wording:
    return Wording(
        text_of(request, "text_it"),
        text_of(request, "text_en"),
        "needs_regulator" in request.POST,
        "is_active" in request.POST,
    )


def _form(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    parent = {"title": _("Reasons"), "address": reverse(_LIST)}
    purposes = Reason.Purpose.choices
    return show(
        request,
        "backoffice/reasons/reason_form.html",
        {**context, "purposes": purposes, "parent": parent},
    )


def _changes_since(reason: Reason, version: int) -> list[AuditRecord]:
    """Changes of the reason after a version, newest first."""
    return changes_after(f"reason:{reason.code}", "REASON_CHANGED", version=version)
