"""Customers by pseudonym, and the page of a customer."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.comments.panel import comments_context
from casino.backoffice.customers.customer_sections import (
    api_tokens,
    cases_of,
    disputes_of,
    returns_context,
)
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import text_filter
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from payouts.carried_forward.carried_balances import carried_to
from payouts.cases.models import GoodwillCredit
from payouts.ledger.customer_balances import NO_BALANCES, CustomerBalances, balances_of
from payouts.ledger.models import Account
from payouts.settlement.account_transfers import account_transfers
from payouts.settlement.customer_bets import customer_bets
from rounds.models import Customer

_FEW: Final = 10
"""Bets and transfers on the page; the others have lists of their own."""
_MOST: Final = 20
"""Credits, at most."""


def _cents_of(account: Account | None) -> int:
    return 0 if account is None else account.balance_cents


LIST: Final = ListSpec(
    name="customers",
    filters=(
        text_filter(
            "pseudonym",
            gettext_lazy("Customer"),
            lambda rows, text: rows.filter(pseudonym=text),
            placeholder=gettext_lazy("Full pseudonym"),
        ),
    ),
    columns=(
        Column("customer", gettext_lazy("Customer"), lambda line: line[0].pseudonym),
        Column("cash", gettext_lazy("Cash"), lambda line: _cents_of(line[1].cash), Kind.MONEY),
        Column(
            "chips",
            gettext_lazy("Golden chips"),
            lambda line: _cents_of(line[1].chips),
            Kind.MONEY,
        ),
        Column(
            "owed",
            gettext_lazy("Owed by the customer"),
            lambda line: line[1].owed_cents,
            Kind.MONEY,
        ),
    ),
)


@admin.register(Customer)
class CustomerAdmin(ReadOnlyAdmin):
    """Customers with their balances, the latest first."""

    spec = LIST
    list_template = "backoffice/customers/customers.html"
    page_template = "backoffice/customers/customer.html"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list. A known pseudonym leads to its customer."""
        pseudonym = (
            request.GET.get("pseudonym", "").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()
        )
        if pseudonym and self.has_view_permission(request):
            customer = Customer.objects.filter(pseudonym=pseudonym).first()
            if customer is not None:
                return redirect("admin:rounds_customer_change", customer.pk)
        return super().changelist_view(request, extra_context)

    def lines(self, rows: list[Any]) -> list[tuple[Customer, CustomerBalances]]:
        """Each customer with the balances."""
        balances = balances_of([row.pk for row in rows])
        return [(row, balances.get(row.pk, NO_BALANCES)) for row in rows]

    def page_context(self, request: HttpRequest, row: Customer) -> dict[str, Any]:
        """All that concerns the customer; of each list the latest rows."""
        balances = balances_of([row.pk]).get(row.pk, NO_BALANCES)
        credited = GoodwillCredit.objects.filter(customer=row).select_related("case")
        returns = returns_context(row, request.GET.get("until", ""))
        return {
            "title": row.pseudonym,
            "balances": balances,
            **returns,
            "cases": cases_of(row, before=returns["before"]),
            "bets": customer_bets(row.pk, before=None, most=_FEW),
            "transfers": account_transfers(balances.account_ids, most=_FEW),
            "carried": carried_to(row.pk),
            "disputes": disputes_of(row),
            "credits": credited.order_by("-at", "-pk")[:_MOST],
            "tokens": api_tokens(row),
            **comments_context(request, "customer", row.pk),
            "may_propose": request.user.has_perm(PROPOSE),
        }
