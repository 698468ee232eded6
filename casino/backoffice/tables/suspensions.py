"""Suspend and resume a table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import conflict_message
from casino.backoffice.site.form_data import number_of, text_of
from compliance.trail.steps import StaleState
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reasons_in_use
from rounds.field_errors import InvalidField
from rounds.models import Table
from rounds.services.suspend_table import StatedReason, resume_table, suspend_table
from rounds.wake_workers import wake_settlement_workers


def suspend(request: HttpRequest, pk: int) -> HttpResponse:
    """Suspend a table, with a reason from the list."""
    get_object_or_404(Table, pk=pk)
    listed = reasons_in_use(Reason.Purpose.SUSPENSION)
    reason = listed.filter(code=text_of(request, "reason")).first()
    if reason is None:
        messages.error(request, _("Choose a reason that is in use. Nothing was changed."))
        return redirect("admin:rounds_table_change", pk)
    try:
        suspend_table(
            table_id=pk,
            reason=StatedReason(reason.code, reason.text_it, reason.text_en),
            note=text_of(request, "note"),
            seen=number_of(request, "seen"),
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except StaleState as error:
        messages.warning(request, conflict_message(error))
    else:
        message = _("Table suspended. New rounds are stored and settled when the table is resumed.")
        messages.success(request, message)
    return redirect("admin:rounds_table_change", pk)


def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Resume a table; its waiting rounds are settled."""
    get_object_or_404(Table, pk=pk)
    try:
        _step, waited = resume_table(
            table_id=pk,
            note=text_of(request, "note"),
            seen=number_of(request, "seen"),
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except StaleState as error:
        messages.warning(request, conflict_message(error))
    except InvalidField:
        messages.error(request, _("Enter a reason for resuming the table. Nothing was changed."))
    else:
        wake_settlement_workers()
        message = ngettext(
            "Table resumed. %(count)d round is being settled.",
            "Table resumed. %(count)d rounds are being settled.",
            waited,
        )
        messages.success(request, message % {"count": waited})
    return redirect("admin:rounds_table_change", pk)
