"""Tax rates: list, and the form that sets one."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import day_filters, field_filter, person_filter
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.badges import badge_label
from compliance.exports.models import TaxRate
from compliance.exports.scope import GAMES
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.exports.tax_rates import signed_rates
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

LOOK: Final = "exports.view_taxrate"
"""Permission to view tax rates."""
SET: Final = "exports.set_tax_rate"
"""Permission to set a tax rate."""

_PER_PERCENT: Final = 10_000


class TaxRateForm(forms.Form):
    """A rate in percent, its game and its first day."""

    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=[
            ("", gettext_lazy("All games without a rate of their own")),
            *((game, game) for game in GAMES),
        ],
        required=False,
    )
    in_force_from = forms.DateField(
        label=gettext_lazy("In force from"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    percent = forms.DecimalField(
        label=gettext_lazy("Rate in percent"), min_value=0, max_value=100, decimal_places=4
    )


LIST: Final = ListSpec(
    name="tax-rates",
    filters=(
        field_filter("game", gettext_lazy("Game"), [(game, game) for game in GAMES]),
        person_filter(),
        *day_filters("in_force_from"),
    ),
    columns=(
        Column("game", gettext_lazy("Game"), lambda line: line[0].game, sort="game"),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line[2])),
        Column(
            "from",
            gettext_lazy("In force from"),
            lambda line: line[0].in_force_from,
            Kind.DAY,
            "in_force_from",
        ),
        Column("rate", gettext_lazy("Rate"), lambda line: line[1], Kind.COUNT, "per_million"),
        Column(
            "decided", gettext_lazy("Decided"), lambda line: line[0].decided_at, Kind.MOMENT, "pk"
        ),
    ),
    sort="-decided",
)


def show_tax_rates(request: HttpRequest) -> HttpResponse:
    """All rates, newest first, with the form for users who may set one."""
    form = TaxRateForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        set_tax_rate(
            game=form.cleaned_data["game"],
            in_force_from=form.cleaned_data["in_force_from"],
            per_million=int(form.cleaned_data["percent"] * _PER_PERCENT),
            at=decided_at(request),
            actor=signing_actor(request),
        )
        messages.success(request, _("Tax rate set."))
        return redirect("tax_rates")
    context = {"title": _("Tax rates"), "form": form, "may_set": request.user.has_perm(SET)}
    template = "backoffice/exports/tax_rates.html"
    return show_list(request, LIST, TaxRate.objects.all(), template, context, lines_of=_lines)


def _lines(rates: Any) -> list[tuple[TaxRate, float, str]]:
    """Each rate with its percentage and its status today."""
    today = gaming_day(milliseconds_of(timezone.now()))
    counting = signed_rates()
    signed = {rate.pk for rate in counting}
    in_force = {rate.game: rate.pk for rate in counting if rate.in_force_from <= today}

    def status(rate: TaxRate) -> str:
        if rate.pk not in signed:
            return "tax-unsigned"
        if rate.in_force_from > today:
            return "tax-future"
        return "tax-in-force" if in_force[rate.game] == rate.pk else "tax-replaced"

    return [(rate, rate.per_million / _PER_PERCENT, status(rate)) for rate in rates]
