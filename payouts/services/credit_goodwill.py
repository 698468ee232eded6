"""Crediting a customer outside any round, by a case of two persons, once."""

from datetime import datetime
from typing import Final

from compliance.trail.actor import Actor
from compliance.trail.copying import NULL, moment
from compliance.trail.record import Entry, record_entries
from payouts.models import Account, Case, GoodwillCredit, Transfer
from payouts.models.account import customer_account_id, shared_account_id
from payouts.services.ledger import post_transfers
from payouts.services.stripe import own_stripe
from payouts.services.two_persons import ByTwo
from rounds.books import open_books
from rounds.identity import identity
from rounds.rules.money import format_cents
from rounds.storage import milliseconds_of

_ENTRY: Final = 1
_LINE: Final = 0
_CASH: Final = Account.Asset.CASH.value


def credit_goodwill(*, case: Case, customer_id: int, cents: int, by: ByTwo) -> GoodwillCredit:
    """Moves the cents from the house's goodwill to the customer, in the current transaction.

    A case gives one credit: a second one violates its key, and nothing is written.
    """
    books = open_books(at=by.at)
    credit = GoodwillCredit.objects.create(
        id=identity(name=f"goodwill {case.pk}", at=milliseconds_of(by.at)),
        case=case,
        customer_id=customer_id,
        cents=cents,
        at=by.at,
        actor=by.actor.name,
        approved_by=by.approved_by.name,
        booked_on=books.day_for(books.today),
    )
    customer = customer_account_id(Account.Kind.CUSTOMER.value, _CASH, customer_id)
    goodwill = shared_account_id(Account.Kind.GOODWILL.value, _CASH, own_stripe())
    line = (
        f"{credit.id}\t{_ENTRY}\t{moment(by.at)}\t{_LINE}\t{Transfer.Purpose.GOODWILL.value}"
        f"\t{goodwill}\t{customer}\t{cents}\t{NULL}\t{NULL}\t{NULL}\n"
    )
    post_transfers([line], {goodwill: -cents, customer: cents})
    _record(credit, by, at=by.at, actor=by.actor)
    return credit


def _record(credit: GoodwillCredit, by: ByTwo, *, at: datetime, actor: Actor) -> None:
    details = {
        "id": str(credit.id),
        "customer": credit.customer.pseudonym,
        "amount": format_cents(credit.cents),
        "reason": by.reason,
        "approved_by": by.approved_by.name,
        "approved_by_user_id": by.approved_by.user_id,
    }
    entry = Entry("GOODWILL_CREDITED", f"case:{credit.case}", details)
    record_entries([entry], at=at, actor=actor)
