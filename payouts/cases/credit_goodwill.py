"""Goodwill credits: money credited to a customer outside any round, by an approved case."""

from typing import Final

from compliance.trail.record import Entry, record_entries
from payouts.cases.models import Case, GoodwillCredit
from payouts.ledger.balance_shards import process_stripe
from payouts.ledger.models import Account, Transfer
from payouts.ledger.models.account import customer_account_id, shared_account_id
from payouts.ledger.post_transfers import post_single_transfer
from payouts.settlement.four_eyes import FourEyesDecision
from rounds.booking_day import open_books
from rounds.identity import identity
from rounds.row_mapping import milliseconds_of
from rounds.rules.money import format_cents

_CASH: Final = Account.Asset.CASH.value


def credit_goodwill(
    *, case: Case, customer_id: int, cents: int, by: FourEyesDecision
) -> GoodwillCredit:
    """Transfers the cents from the goodwill account to the customer, in the current transaction.

    A case gives one credit. Raises IntegrityError for a second one; nothing is written.
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
    goodwill = shared_account_id(Account.Kind.GOODWILL.value, _CASH, process_stripe())
    post_single_transfer(
        origin=credit.id,
        purpose=Transfer.Purpose.GOODWILL.value,
        debit_id=goodwill,
        credit_id=customer,
        cents=cents,
        at=by.at,
    )
    _record(credit, by)
    return credit


def _record(credit: GoodwillCredit, by: FourEyesDecision) -> None:
    details = {
        "id": str(credit.id),
        "customer": credit.customer.pseudonym,
        "amount": format_cents(credit.cents),
        "reason": by.reason,
        "approved_by": by.approved_by.name,
        "approved_by_user_id": by.approved_by.user_id,
    }
    entry = Entry("GOODWILL_CREDITED", f"case:{credit.case}", details)
    record_entries([entry], at=by.at, actor=by.actor)
