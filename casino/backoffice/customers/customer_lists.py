"""The bets and the transfers of a customer, a page at a time."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.customers.bet_keys import key_in, key_text
from casino.backoffice.ledger.transfer_page import transfer_page
from casino.backoffice.site.keyset_paging import SIZE, KeysetPage
from casino.backoffice.site.views import show
from payouts.ledger.customer_balances import NO_BALANCES, balances_of
from payouts.settlement.customer_bets import customer_bets
from rounds.models import Customer

LOOK: Final = "rounds.view_customer"
"""Permission to view customers."""


def show_bets(request: HttpRequest, pk: int) -> HttpResponse:
    """All bets with their results, newest first."""
    customer = get_object_or_404(Customer, pk=pk)
    bets = customer_bets(pk, before=key_in(request.GET.get("before", "")), most=SIZE + 1)
    older = key_text(bets[SIZE - 1].key) if len(bets) > SIZE else None
    page = KeysetPage(bets[:SIZE], None, older)
    title = _("Bets of %(customer)s") % {"customer": customer.pseudonym}
    return _show(request, customer, page, title=title, template="bets.html")


def show_transfers(request: HttpRequest, pk: int) -> HttpResponse:
    """All transfers of the accounts of cash and golden chips, newest first."""
    customer = get_object_or_404(Customer, pk=pk)
    balances = balances_of([pk]).get(pk, NO_BALANCES)
    page = transfer_page(balances.account_ids, request.GET)
    title = _("Ledger entries of %(customer)s") % {"customer": customer.pseudonym}
    return _show(request, customer, page, title=title, template="transfers.html")


def _show(
    request: HttpRequest, customer: Customer, page: KeysetPage, *, title: str, template: str
) -> HttpResponse:
    address = reverse("admin:rounds_customer_change", args=[customer.pk])
    context: dict[str, Any] = {
        "title": title,
        "parent": {"title": customer.pseudonym, "address": address},
        "rows": page.rows,
        "page": page,
        "here": "",
    }
    return show(request, f"backoffice/customers/{template}", context)
