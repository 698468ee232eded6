"""Whose bets a call is about: a customer's own key is about that customer's, always."""

from django.utils.translation import gettext as _

from payouts.api.asked import Asked, not_taken
from payouts.api.caller import Caller
from rounds.models import Customer


def own_customer(caller: Caller) -> Customer | None:
    """Whose key it is, where it is a customer's own; None for keys that see everybody's."""
    pseudonym = caller.key.customer
    return None if pseudonym is None else Customer.objects.get(pseudonym=pseudonym)


def customer_asked(asked: Asked, caller: Caller) -> Customer | None:
    """The customer whose bets are meant; None for everybody's. Raises Problem."""
    pseudonym = asked.text("customer")
    if pseudonym is None:
        return own_customer(caller)
    found = Customer.objects.filter(pseudonym=pseudonym).first()
    if found is None or not caller.covers_customer(pseudonym):
        raise not_taken("customer", pseudonym, _("a customer who has played, and is the key's own"))
    return found
