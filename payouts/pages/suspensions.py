"""Suspending a table and resuming it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from payouts.models import Reason
from payouts.pages.asked import asker, number_of, text_of
from payouts.templatetags.sabot import moment
from rounds.models import Table
from rounds.services.suspend_table import StatedReason, resume_table, suspend_table
from rounds.services.table_fields import NotTaken, TableMoved
from rounds.tasks import ring_for_settlement


def suspend(request: HttpRequest, pk: int) -> HttpResponse:
    """Has the table's new rounds wait, for a reason of the list."""
    get_object_or_404(Table, pk=pk)
    listed = Reason.objects.filter(purpose=Reason.Purpose.SUSPENSION, is_active=True)
    reason = listed.filter(code=text_of(request, "reason")).first()
    if reason is None:
        messages.error(request, _("Nothing was changed: choose a reason that is in use."))
        return redirect("admin:rounds_table_change", pk)
    try:
        suspend_table(
            table_id=pk,
            reason=StatedReason(reason.code, reason.text_it, reason.text_en),
            note=text_of(request, "note"),
            seen=number_of(request, "seen"),
            at=timezone.now(),
            actor=asker(request),
        )
    except TableMoved as refusal:
        _tell(request, refusal)
    else:
        message = _("The table is suspended: rounds that open from now on are stored and wait.")
        messages.success(request, message)
    return redirect("admin:rounds_table_change", pk)


def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Lets the rounds that waited be settled."""
    get_object_or_404(Table, pk=pk)
    try:
        _step, waited = resume_table(
            table_id=pk,
            note=text_of(request, "note"),
            seen=number_of(request, "seen"),
            at=timezone.now(),
            actor=asker(request),
        )
    except TableMoved as refusal:
        _tell(request, refusal)
    except NotTaken:
        messages.error(request, _("Nothing was changed: say why the table may be resumed."))
    else:
        ring_for_settlement()
        message = ngettext(
            "The table is in play again; %(count)d round that waited is being settled.",
            "The table is in play again; %(count)d rounds that waited are being settled.",
            waited,
        )
        messages.success(request, message % {"count": waited})
    return redirect("admin:rounds_table_change", pk)


def _tell(request: HttpRequest, refusal: TableMoved) -> None:
    """Who came first."""
    latest = refusal.latest
    first = _("%(who)s came first (%(what)s, %(when)s); nothing of yours was changed.") % {
        "who": latest.actor,
        "what": latest.get_action_display(),
        "when": moment(latest.at, "s"),
    }
    messages.warning(request, first)
