"""The download of a customer's proof of daily totals, for whoever asks customer service for it."""

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from casino.backoffice.site.downloads import json_attachment
from compliance.exports.sum_trees.customer_proof import LeavesChanged, NotCounted, prove_totals
from compliance.trail.log.stored_tree import NotInLog
from rounds.models import Customer


def download_totals_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """The proof of a day; without one, the reason on the customer's page."""
    customer = get_object_or_404(Customer, pk=pk)
    day = request.GET.get("day", "")
    try:
        content = prove_totals(customer.pseudonym, date.fromisoformat(day))
    except ValueError:
        messages.warning(request, _("Choose a day, for example 2026-11-21."))
    except NotCounted:
        messages.warning(request, _("The day is not closed and exported, or has no such customer."))
    except NotInLog:
        messages.warning(request, _("The export is not in the signed log yet. Try again later."))
    except LeavesChanged:
        messages.error(request, _("The bundle's file is missing or has changed: export it again."))
    else:
        return json_attachment(content, name=f"totals-{day}.json")
    return redirect("admin:rounds_customer_change", pk)
