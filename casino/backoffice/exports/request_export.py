"""Request an export: of a day, or by a form; and its progress."""

from datetime import date
from typing import Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.exports.messages import days_label, error_message, filter_label
from casino.backoffice.site.actions import warn_broker_unavailable
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.form_fields import CustomerField, DaysForm
from casino.backoffice.site.views import show
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import GAMES, DaysDetached, Scope, one_day
from compliance.exports.services.enqueue_export import (
    MOST_DAYS,
    InvalidExportRequest,
    enqueue_export,
)
from compliance.exports.tasks import notify_export_workers
from rounds.models import Table
from rounds.rules.catalogue import RULE_SETS

_REFRESH_SECONDS: Final = 2
_ANY: Final = [("", "—")]


class ExportForm(DaysForm):
    """The scope of an export, and the reason."""

    contents = forms.ChoiceField(label=gettext_lazy("What"), choices=Bundle.Contents.choices)
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        choices=[*_ANY, *((game, game) for game in GAMES)],
    )
    rules = forms.ChoiceField(
        label=gettext_lazy("Rule set"),
        required=False,
        choices=[*_ANY, *((rules, rules) for rules in sorted(RULE_SETS))],
    )
    table = forms.ModelChoiceField(
        Table.objects.all(),
        label=gettext_lazy("Table"),
        required=False,
        to_field_name="code",
        empty_label="—",
    )
    customer = CustomerField(
        label=gettext_lazy("Customer"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Pseudonym; limits the bundle to the bets of this customer"),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=1_000,
        help_text=gettext_lazy("For example, the reference of the regulator's request"),
        widget=forms.Textarea({"rows": 2}),
    )

    field_order = ("contents", "first_day", "last_day")

    def check_length(self, first: date, last: date) -> None:
        """The maximum of an export."""
        if (last - first).days >= MOST_DAYS:
            message = _("The maximum is %(most)s days.") % {"most": MOST_DAYS}
            self.add_error("last_day", message)

    def scope(self) -> Scope:
        """The requested scope."""
        data = self.cleaned_data
        table, customer = data["table"], data["customer"]
        return Scope(
            data["first_day"],
            data["last_day"],
            data["game"],
            "" if table is None else table.code,
            data["rules"],
            "" if customer is None else customer.pseudonym,
            data["contents"],
        )


def ask(request: HttpRequest) -> HttpResponse:
    """The form; a valid one queues an export."""
    if request.method != "POST":
        return _form(request, ExportForm(initial=_initial(request)))
    form = ExportForm(request.POST)
    if not form.is_valid():
        return _form(request, form)
    return _ask(request, form.scope(), reason=form.cleaned_data["reason"])


def ask_for_day(request: HttpRequest, day: str) -> HttpResponse:
    """Export the registers of a whole day."""
    try:
        of = one_day(date.fromisoformat(day))
    except ValueError as error:
        raise Http404 from error
    return _ask(request, of, reason="")


def ask_again(request: HttpRequest, number: int) -> HttpResponse:
    """Create the file of a bundle again, or a bundle that supersedes it."""
    return _ask(request, get_object_or_404(Bundle, number=number).scope, reason="")


def show_run(request: HttpRequest, run_id: int) -> HttpResponse:
    """The progress of an export; the bundle once it is ready."""
    run = get_object_or_404(ExportRun.objects.select_related("bundle"), pk=run_id)
    context = {
        "title": _("Export of %(days)s") % {"days": days_label(run.scope)},
        "parent": {"title": _("ADM (formerly AAMS) exports"), "address": reverse("exports")},
        "run": run,
        "state": "done" if run.finished_at else "running" if run.begun_at else "waiting",
        "filters": filter_label(run.scope),
        "refresh_seconds": _REFRESH_SECONDS * (run.finished_at is None),
    }
    return show(request, "backoffice/exports/run.html", context)


def _ask(request: HttpRequest, of: Scope, *, reason: str) -> HttpResponse:
    try:
        run = enqueue_export(of=of, reason=reason, at=timezone.now(), actor=actor_in(request))
    except InvalidExportRequest as error:
        messages.error(request, str(error))
        return redirect("exports")
    except DaysDetached as error:
        messages.error(request, error_message(error))
        return redirect("exports")
    if not notify_export_workers():
        warn_broker_unavailable(request)
    return redirect("export_run", run.pk)


def _initial(request: HttpRequest) -> dict[str, str]:
    """Initial values from the query string."""
    return {name: request.GET[name] for name in ExportForm.base_fields if name in request.GET}


def _form(request: HttpRequest, form: ExportForm) -> HttpResponse:
    context = {
        "title": _("Request an export"),
        "parent": {"title": _("ADM (formerly AAMS) exports"), "address": reverse("exports")},
        "form": form,
    }
    return show(request, "backoffice/exports/request_export.html", context)
