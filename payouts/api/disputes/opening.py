"""Opening a dispute over HTTP: whose it is, about which round and bet of those the key sees."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from payouts.api import problems
from payouts.api.caller import Caller
from payouts.api.disputes.refusals import refusals_told
from payouts.api.problems import FieldError, Problem
from payouts.api.rounds.asking import own_customer
from payouts.api.rounds.finding import round_needed, seen_round
from payouts.models import Dispute
from payouts.services.open_dispute import Contested, open_dispute
from rounds.models import Bet, Customer, Round


def opened(said: Mapping[str, Any], caller: Caller, *, at: datetime) -> Dispute:
    """Opens what was asked for. Raises Problem.

    A customer's own token contests rounds in which he has a bet: another round is not there for
    him, not even to say that a bet of his never reached it. A program of the house can say that.
    """
    own = own_customer(caller)
    customer = _customer(said, caller, own)
    row = seen_round(said["round"], caller, own)
    if row is None:
        raise _refused("round", said["round"], round_needed())
    contested = Contested(
        row.id,
        customer.pk,
        Dispute.Reason(said["reason"]),
        said["text"],
        Dispute.Language(said["language"]),
        _bet_number(said, row, customer),
        said.get("claimed_cents"),
    )
    by = Dispute.OpenedBy.KEY if own is None else Dispute.OpenedBy.CUSTOMER
    with refusals_told(said):
        return open_dispute(contested=contested, opened_by=by, at=at, actor=caller.actor)


def _customer(said: Mapping[str, Any], caller: Caller, own: Customer | None) -> Customer:
    pseudonym = said.get("customer")
    if pseudonym is None and own is not None:
        return own
    found = Customer.objects.filter(pseudonym=pseudonym or "").first()
    if found is None or not caller.covers_customer(found.pseudonym):
        needed = _("a customer who has played, and is the key's own")
        raise _refused("customer", pseudonym, needed)
    return found


def _bet_number(said: Mapping[str, Any], row: Round, customer: Customer) -> int | None:
    """The number of the bet that is meant; None where all of them are."""
    number, reference = said.get("bet_number"), said.get("bet")
    if reference is None:
        return number
    if number is not None:
        raise _refused("bet", reference, _("either bet_number or bet"))
    theirs = Bet.objects.filter(round=row, customer=customer, reference=reference)
    found: int | None = theirs.values_list("number", flat=True).first()
    if found is None:
        raise _refused("bet", reference, _("a bet of the customer in this round"))
    return found


def _refused(field: str, found: str | None, needed: str) -> Problem:
    return Problem(problems.REFUSED, errors=[FieldError(f"/{field}", found, needed)])
