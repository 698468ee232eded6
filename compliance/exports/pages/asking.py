"""Asking for an export: of a day at one click, of anything else by a form; how far it is."""

from datetime import date
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.exports.models import Bundle, ExportRun
from compliance.exports.pages.words import days_words, filter_words
from compliance.exports.scope import GAMES, Scope, one_day
from compliance.exports.services.ask_export import MOST_DAYS, ExportNotAsked, ask_export
from compliance.exports.tasks import ring_for_exports
from payouts.pages.asked import asker
from payouts.pages.own_pages import show
from rounds.models import Customer, Table
from rounds.rules.catalogue import RULE_SETS

_REFRESH_SECONDS: Final = 2
_ANY: Final = [("", "—")]


class ExportForm(forms.Form):
    """What is to be exported, and why."""

    contents = forms.ChoiceField(label=gettext_lazy("What"), choices=Bundle.Contents.choices)
    first_day = forms.DateField(
        label=gettext_lazy("First gaming day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last gaming day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    game = forms.ChoiceField(
        label=gettext_lazy("Game"), required=False, choices=[*_ANY, *((one, one) for one in GAMES)]
    )
    rules = forms.ChoiceField(
        label=gettext_lazy("Rule set"),
        required=False,
        choices=[*_ANY, *((one, one) for one in sorted(RULE_SETS))],
    )
    table = forms.ModelChoiceField(
        Table.objects.all(),
        label=gettext_lazy("Table"),
        required=False,
        to_field_name="code",
        empty_label="—",
    )
    customer = forms.CharField(
        label=gettext_lazy("Customer"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("pseudonym; the bundle then holds this person's bets alone"),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1_000,
        help_text=gettext_lazy("such as the reference of the regulator's request"),
        widget=forms.Textarea({"rows": 2}),
    )

    def clean_customer(self) -> str:
        """A customer who has bet."""
        name = self.cleaned_data["customer"].strip().replace("\0", "")
        if name and not Customer.objects.filter(pseudonym=name).exists():
            raise forms.ValidationError(_("Nobody is called %(name)s."), params={"name": name})
        return str(name)

    def clean(self) -> dict[str, Any]:
        """Days in their order, and not too many."""
        asked = super().clean() or {}
        first, last = asked.get("first_day"), asked.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("This is before the first day."))
        elif first and last and (last - first).days >= MOST_DAYS:
            message = _("%(most)s days at most.") % {"most": MOST_DAYS}
            self.add_error("last_day", message)
        return asked

    def scope(self) -> Scope:
        """What was asked for."""
        asked = self.cleaned_data
        table = asked["table"]
        return Scope(
            asked["first_day"],
            asked["last_day"],
            asked["game"],
            "" if table is None else table.code,
            asked["rules"],
            asked["customer"],
            asked["contents"],
        )


def ask(request: HttpRequest) -> HttpResponse:
    """The form; sent, an export that waits for a worker."""
    if request.method != "POST":
        return _form(request, ExportForm(initial=_initial(request)))
    form = ExportForm(request.POST)
    if not form.is_valid():
        return _form(request, form)
    return _ask(request, form.scope(), reason=form.cleaned_data["reason"])


def ask_for_day(request: HttpRequest, day: str) -> HttpResponse:
    """The registers of a whole day."""
    try:
        of = one_day(date.fromisoformat(day))
    except ValueError as error:
        raise Http404 from error
    return _ask(request, of, reason="")


def ask_again(request: HttpRequest, number: int) -> HttpResponse:
    """What a bundle is of: its file is made anew, or a bundle that takes its place."""
    return _ask(request, get_object_or_404(Bundle, number=number).scope, reason="")


def show_run(request: HttpRequest, run_id: int) -> HttpResponse:
    """How far an export is; once it is made, the bundle."""
    run = get_object_or_404(ExportRun.objects.select_related("bundle"), pk=run_id)
    context = {
        "title": _("Export of %(days)s") % {"days": days_words(run.scope)},
        "parent": {"title": _("AAMS exports"), "address": reverse("exports")},
        "run": run,
        "state": "done" if run.finished_at else "running" if run.begun_at else "waiting",
        "filters": filter_words(run.scope),
        "refresh_seconds": _REFRESH_SECONDS * (run.finished_at is None),
    }
    return show(request, "pages/exports/run.html", context)


def _ask(request: HttpRequest, of: Scope, *, reason: str) -> HttpResponse:
    try:
        run = ask_export(of=of, reason=reason, at=timezone.now(), actor=asker(request))
    except ExportNotAsked as refusal:
        messages.error(request, str(refusal))
        return redirect("exports")
    if not ring_for_exports():
        messages.warning(request, _("The broker is away: it begins when it is back."))
    return redirect("export_run", run.pk)


def _initial(request: HttpRequest) -> dict[str, str]:
    """What the address names already."""
    return {name: request.GET[name] for name in ExportForm.base_fields if name in request.GET}


def _form(request: HttpRequest, form: ExportForm) -> HttpResponse:
    context = {
        "title": _("Ask for an export"),
        "parent": {"title": _("AAMS exports"), "address": reverse("exports")},
        "form": form,
    }
    return show(request, "pages/exports/ask.html", context)
