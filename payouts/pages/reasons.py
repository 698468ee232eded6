"""The managed list of reasons: looked at by many, kept by compliance."""

from typing import Any, Final

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.models import AuditRecord
from compliance.trail.queries import changes_after
from payouts.models import Reason
from payouts.pages.asked import asker, number_of, text_of
from payouts.pages.fact_admin import FactAdmin
from payouts.pages.own_pages import show
from payouts.services.keep_reasons import (
    ReasonMoved,
    Wording,
    add_reason,
    change_reason,
    wording_of,
)
from rounds.services.table_fields import NotTaken

MANAGE: Final = "payouts.manage_reasons"
"""The permission to add and change reasons."""

_LIST: Final = "admin:payouts_reason_changelist"


@admin.register(Reason)
class ReasonAdmin(FactAdmin):
    """All reasons by what they are for; whoever keeps them opens one from here."""

    list_template = "pages/reasons.html"

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """All of them: there are few."""
        return super().rows(request)

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """By purpose, in the order of their codes."""
        reasons = Reason.objects.all()
        groups = [
            (label, [one for one in reasons if one.purpose == purpose])
            for purpose, label in Reason.Purpose.choices
        ]
        return {"rows": rows, "groups": groups, "may_manage": request.user.has_perm(MANAGE)}

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A reason has its page among those that are managed."""
        return redirect(_LIST)


def add(request: HttpRequest) -> HttpResponse:
    """The form of a new reason, and what became of it."""
    typed = {"code": text_of(request, "code"), "purpose": text_of(request, "purpose")}
    said, wrong = _said(request), None
    if request.method == "POST":
        try:
            add_reason(**typed, said=said, at=timezone.now(), actor=asker(request))
        except NotTaken as refusal:
            wrong = refusal
        else:
            messages.success(request, _("The reason is on the list."))
            return redirect(_LIST)
    else:
        said = said._replace(is_active=True)
    context = {"title": _("Add a reason"), "typed": typed, "said": said, "wrong": wrong}
    return _form(request, context)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a reason; whoever saves second sees what the first one did."""
    reason = get_object_or_404(Reason, pk=pk)
    said, seen, told = wording_of(reason), reason.version, dict[str, Any]()
    if request.method == "POST":
        said, seen = _said(request), number_of(request, "seen")
        try:
            change_reason(
                reason_id=pk, said=said, seen=seen, at=timezone.now(), actor=asker(request)
            )
        except NotTaken as refusal:
            told = {"wrong": refusal}
        except ReasonMoved as moved:
            reason = moved.latest
            told = {"moved": _changes_since(reason, seen)}
            seen = reason.version
        else:
            messages.success(request, _("Saved. What was decided keeps the words that it had."))
            return redirect(_LIST)
    typed = {"code": reason.code, "purpose": reason.purpose}
    title = _("Change %(code)s") % {"code": reason.code}
    context = {"title": title, "reason": reason, "typed": typed, "said": said, "seen": seen}
    return _form(request, {**context, **told})


def _said(request: HttpRequest) -> Wording:
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
        request, "pages/reason_form.html", {**context, "purposes": purposes, "parent": parent}
    )


def _changes_since(reason: Reason, version: int) -> list[AuditRecord]:
    """Who changed the reason after that version, newest first."""
    return changes_after(f"reason:{reason.code}", "REASON_CHANGED", version=version)
