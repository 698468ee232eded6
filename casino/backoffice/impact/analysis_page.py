"""The result of an impact analysis: by bet kind, and by customer."""

from collections.abc import Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.impact.analysis_list import state_of
from casino.backoffice.impact.change_text import change_texts
from casino.backoffice.lists.background_files import record_download
from casino.backoffice.lists.models import ListFile
from casino.backoffice.security.step_up import step_up_to_download
from casino.backoffice.site.downloads import csv_attachment, escape_formula
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from compliance.impact.analyses import figures_of
from compliance.impact.models import ImpactAnalysis
from compliance.impact.results import (
    CustomerResult,
    changed_customers,
    customer_results,
    kind_results,
)
from rounds.formatting import bet_kind_label
from rounds.rules.money import format_cents

_MOST_CUSTOMERS: Final = 50
_REFRESH_SECONDS: Final = 2


def show_analysis(request: HttpRequest, analysis_id: int) -> HttpResponse:
    """What customers were paid, and would have been paid."""
    analysis = get_object_or_404(ImpactAnalysis, pk=analysis_id)
    results = kind_results(analysis)
    paid = sum(result.sums.paid_cents for result in results)
    other = sum(result.sums.other_cents for result in results)
    parts = analysis.parts.count()
    context = {
        "title": _("Impact analysis %(number)s") % {"number": analysis_id},
        "parent": {"title": _("Impact analyses"), "address": reverse("impact_analyses")},
        "row": analysis,
        "state": state_of(analysis),
        "changes": change_texts(analysis),
        "progress": {"percent": analysis.parts.exclude(done_at=None).count() * 100 // (parts or 1)},
        "figures": figures_of(analysis),
        "tiles": [
            ("", _("Paid"), paid),
            ("", _("Would have been paid"), other),
            ("=", _("Difference to customers"), other - paid),
        ],
        "has_other_chips": any(
            it.sums.paid_chips_cents != it.sums.other_chips_cents for it in results
        ),
        "results": [(bet_kind_label(result.kind), result) for result in results],
        "customers": list(customer_results(analysis, most=_MOST_CUSTOMERS)),
        "changed_customers": changed_customers(analysis),
        "most_customers": _MOST_CUSTOMERS,
        "refresh_seconds": _REFRESH_SECONDS * (analysis.finished_at is None),
    }
    return show(request, "backoffice/impact/impact_analysis.html", context)


def show_customers_file(request: HttpRequest, analysis_id: int) -> HttpResponse:
    """All customers who would have been paid otherwise, in euros with a decimal point.

    Needs a recent second factor and is recorded, as every file of many rows.
    """
    if way := step_up_to_download(request):
        return way
    analysis = get_object_or_404(ImpactAnalysis, pk=analysis_id)
    columns = [
        *(_("Customer"), _("Rule set"), _("Bets"), _("Staked"), _("Paid")),
        *(_("of which golden chips"), _("Would have been paid"), _("of which golden chips")),
        *(_("Difference"), _("Example")),
    ]
    rows = list(_customer_rows(customer_results(analysis)))
    file = ListFile(
        owner=request_user(request),
        list_name="impact-customers",
        query=f"analysis={analysis_id}",
        file_format="csv",
    )
    record_download(file, rows=len(rows), actor=actor_in(request))
    return csv_attachment(columns, rows, name=f"impact-analysis-{analysis_id}.csv")


def _customer_rows(results: Iterator[CustomerResult]) -> Iterator[list[str]]:
    for result in results:
        sums = result.sums
        yield [
            *(escape_formula(result.pseudonym), result.rules, str(sums.bets)),
            *map(
                format_cents,
                (
                    *(sums.staked_cents, sums.paid_cents, sums.paid_chips_cents),
                    *(sums.other_cents, sums.other_chips_cents, sums.difference_cents),
                ),
            ),
            escape_formula(result.example),
        ]
