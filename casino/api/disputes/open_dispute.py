"""Opens a dispute from a request: resolves the customer, the round and the bet."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from casino.api import problems
from casino.api.disputes.exceptions import service_errors_as_problems
from casino.api.disputes.quotas import check_disputes
from casino.api.problems import FieldError, Problem
from casino.api.rounds.lookup import archived_round, round_name_hint, visible_round
from casino.api.rounds.query_params import customer_of_key
from casino.integrations.caller import Caller
from payouts.disputes.models import Dispute
from payouts.disputes.open_dispute import Contested, open_dispute
from rounds.models import Bet, Customer, Round


def open_requested_dispute(data: Mapping[str, Any], caller: Caller, *, at: datetime) -> Dispute:
    """Opens the dispute. Raises Problem.

    A customer's own token reaches only that customer's rounds. A key of the operator can also
    dispute that a bet never reached a round.
    """
    own = customer_of_key(caller)
    customer = _get_customer(data, caller, own)
    row = visible_round(data["round"], caller, own)
    if row is None:
        archived = archived_round(data["round"], caller, own, field="/round")
        raise archived or _invalid("round", data["round"], round_name_hint())
    contested = Contested(
        row.id,
        customer.pk,
        Dispute.Reason(data["reason"]),
        data["text"],
        Dispute.Language(data["language"]),
        _bet_number(data, row, customer),
        data.get("claimed_cents"),
    )
    check_disputes(customer, at=at)
    by = Dispute.OpenedBy.KEY if own is None else Dispute.OpenedBy.CUSTOMER
    with service_errors_as_problems(data):
        return open_dispute(contested=contested, opened_by=by, at=at, actor=caller.actor)


def _get_customer(data: Mapping[str, Any], caller: Caller, own: Customer | None) -> Customer:
    pseudonym = data.get("customer")
    if pseudonym is None and own is not None:
        return own
    customer = Customer.objects.filter(pseudonym=pseudonym or "").first()
    if customer is None or not caller.covers_customer(customer.pseudonym):
        needed = _("a customer with bets, and the key’s own customer if the key has one")
        raise _invalid("customer", pseudonym, needed)
    return customer


def _bet_number(data: Mapping[str, Any], row: Round, customer: Customer) -> int | None:
    """The index of the bet; None for all bets of the customer."""
    number, reference = data.get("bet_number"), data.get("bet")
    if reference is None:
        return number
    if number is not None:
        raise _invalid("bet", reference, _("either bet_number or bet"))
    bets = Bet.objects.filter(round=row, customer=customer, reference=reference)
    index: int | None = bets.values_list("number", flat=True).first()
    if index is None:
        raise _invalid("bet", reference, _("a bet of the customer in this round"))
    return index


def _invalid(field: str, found: str | None, needed: str) -> Problem:
    return Problem(problems.REFUSED, errors=[FieldError(f"/{field}", found, needed)])
