"""Query parameters about rounds: the customer whose bets are requested, the time of opening."""

from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from casino.api.query_params import QueryParams, invalid_param
from casino.integrations.caller import Caller
from rounds.models import Customer, Table

CUSTOMER: Final = OpenApiParameter(
    "customer", str, description="Only the bets and the money of this customer"
)
OPENED: Final = tuple(
    OpenApiParameter(f"opened_{end}", OpenApiTypes.DATETIME, description=f"Opened {text}")
    for end, text in (("since", "at this time or later"), ("before", "before this time"))
)


def customer_of_key(caller: Caller) -> Customer | None:
    """The customer of a customer's own key; None for a key of a program."""
    pseudonym = caller.key.customer
    return None if pseudonym is None else Customer.objects.get(pseudonym=pseudonym)


def requested_customer(params: QueryParams, caller: Caller) -> Customer | None:
    """The customer whose bets are requested; None for all customers. Raises Problem."""
    pseudonym = params.text("customer")
    if pseudonym is None:
        return customer_of_key(caller)
    customer = Customer.objects.filter(pseudonym=pseudonym).first()
    if customer is None or not caller.covers_customer(pseudonym):
        needed = _("a customer with bets, and the key’s own customer if the key has one")
        raise invalid_param("customer", pseudonym, needed)
    return customer


def requested_table(params: QueryParams, caller: Caller) -> Table | None:
    """The table whose rounds are requested; None for all. Raises Problem, as for a customer."""
    code = params.text("table")
    if code is None:
        return None
    table = Table.objects.filter(code=code).first() if caller.covers_table(code) else None
    if table is None:
        raise invalid_param("table", code, _("the code of a table that the key may access"))
    return table
