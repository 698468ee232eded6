"""URLs of a customer's lists."""

from typing import Final

from django.urls import URLPattern, path

from casino.backoffice.customers.customer_lists import LOOK, show_bets, show_transfers
from casino.backoffice.customers.totals_proof import download_totals_proof
from casino.backoffice.site.views import page

CUSTOMERS: Final[list[URLPattern]] = [
    path("customers/<int:pk>/bets/", page(show_bets, permission=LOOK), name="customer_bets"),
    path(
        "customers/<int:pk>/ledger/",
        page(show_transfers, permission=LOOK),
        name="customer_transfers",
    ),
    path(
        "customers/<int:pk>/totals/",
        page(download_totals_proof, permission=LOOK),
        name="customer_totals_proof",
    ),
]
