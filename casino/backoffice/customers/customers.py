"""Customers by pseudonym, and the page of a customer."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.customers.customer_sections import (
    api_tokens,
    cases_of,
    disputes_of,
    returns_context,
)
from casino.backoffice.customers.notes import WRITE, NoteForm
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from payouts.cases.models import GoodwillCredit
from payouts.customer_notes.models import CustomerNote
from payouts.ledger.customer_balances import NO_BALANCES, balances_of
from payouts.settlement.account_transfers import account_transfers
from payouts.settlement.customer_bets import customer_bets
from rounds.models import Customer

_FEW: Final = 10
"""Bets and transfers on the page; the others have lists of their own."""
_MOST: Final = 20
"""Credits, at most."""


@admin.register(Customer)
class CustomerAdmin(ReadOnlyAdmin):
    """Customers with their balances, the latest first."""

    list_template = "backoffice/customers/customers.html"
    page_template = "backoffice/customers/customer.html"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list. A known pseudonym leads to its customer."""
        pseudonym = self.query_text(request, "pseudonym")
        if pseudonym and self.has_view_permission(request):
            customer = Customer.objects.filter(pseudonym=pseudonym).first()
            if customer is not None:
                return redirect("admin:rounds_customer_change", customer.pk)
        return super().changelist_view(request, extra_context)

    def rows(self, request: HttpRequest) -> QuerySet[Any]:
        """All, or the one with a pseudonym."""
        rows = super().rows(request)
        if pseudonym := self.query_text(request, "pseudonym"):
            rows = rows.filter(pseudonym=pseudonym)
        return rows

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each customer with the balances."""
        balances = balances_of([row.pk for row in rows])
        listed = [(row, balances.get(row.pk, NO_BALANCES)) for row in rows]
        return {"rows": listed, "query": request.GET}

    def page_context(self, request: HttpRequest, row: Customer) -> dict[str, Any]:
        """All that concerns the customer; of each list the latest rows."""
        balances = balances_of([row.pk]).get(row.pk, NO_BALANCES)
        credited = GoodwillCredit.objects.filter(customer=row).select_related("case")
        notes = page_of(CustomerNote.objects.filter(customer=row), request.GET)
        returns = returns_context(row, request.GET.get("until", ""))
        return {
            "title": row.pseudonym,
            "balances": balances,
            **returns,
            "cases": cases_of(row, before=returns["before"]),
            "bets": customer_bets(row.pk, before=None, most=_FEW),
            "transfers": account_transfers(balances.account_ids, most=_FEW),
            "disputes": disputes_of(row),
            "credits": credited.order_by("-at", "-pk")[:_MOST],
            "tokens": api_tokens(row),
            "notes": notes.rows,
            "page": notes,
            "here": "",
            "form": NoteForm(),
            "may_propose": request.user.has_perm(PROPOSE),
            "may_write": request.user.has_perm(WRITE),
        }
