"""URLs of a customer's lists and notes."""

from typing import Final

from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from casino.backoffice.customers.customer_lists import LOOK, show_bets, show_transfers
from casino.backoffice.customers.notes import WRITE, write_note
from casino.backoffice.site.views import page

CUSTOMERS: Final[list[URLPattern]] = [
    path("customers/<int:pk>/bets/", page(show_bets, permission=LOOK), name="customer_bets"),
    path(
        "customers/<int:pk>/ledger/",
        page(show_transfers, permission=LOOK),
        name="customer_transfers",
    ),
    path(
        "customers/<int:pk>/notes/",
        require_POST(page(write_note, permission=WRITE)),
        name="write_customer_note",
    ),
]
