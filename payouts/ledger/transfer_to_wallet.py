"""Paying a customer's money over to the gaming account in the operator's wallet."""

from datetime import datetime
from typing import Final

from compliance.storage.advisory_locks import lock_names
from compliance.storage.conflict_retry import retry_on_conflict
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.ledger.balance_shards import process_stripe
from payouts.ledger.models import Account, PayOver, Transfer
from payouts.ledger.models.account import customer_account_id, shared_account_id
from payouts.ledger.post_transfers import lock_balances, post_single_transfer
from rounds.booking_day import open_books
from rounds.identity import identity
from rounds.row_mapping import milliseconds_of
from rounds.rules.money import format_cents

_MOST_CHARACTERS: Final = 100


class PayOverError(Exception):
    """The money cannot be paid over. Nothing was written."""


class InsufficientBalance(PayOverError):
    """The customer's balance is lower than the amount."""

    def __init__(self, *, found_cents: int, needed_cents: int) -> None:
        found, needed = format_cents(found_cents), format_cents(needed_cents)
        super().__init__(f"found {found} on the customer's account; needed {needed}")
        self.found_cents = found_cents
        self.needed_cents = needed_cents


class ReferenceInUse(PayOverError):
    """The reference belongs to another pay-over."""

    def __init__(self, existing: PayOver) -> None:
        found = (
            f"{format_cents(existing.cents)} in {existing.asset} of {existing.customer.pseudonym}"
        )
        when = f"handed over under {existing.reference} at {existing.at.isoformat()}"
        super().__init__(f"found {found}, {when}; needed a new reference")
        self.existing = existing


def pay_over(
    *,
    reference: str,
    customer_id: int,
    cents: int,
    asset: Account.Asset = Account.Asset.CASH,
    at: datetime,
    actor: Actor,
) -> PayOver:
    """Transfers the cents from the customer's account to the operator's wallet.

    ``reference`` is the operator's idempotency key: a repeated call moves nothing and returns the
    first pay-over. Raises InsufficientBalance, ReferenceInUse, or PayOverError for an invalid
    amount or reference.
    """
    if cents <= 0:
        raise PayOverError(f"found {format_cents(cents)}; needed an amount above nothing")
    if not (reference.strip() and reference.isprintable() and len(reference) <= _MOST_CHARACTERS):
        raise PayOverError(f"found {reference!r}; needed a reference of 1 to 100 characters")
    requested = PayOver(
        id=identity(name=f"pay-over {reference}", at=milliseconds_of(at)),
        reference=reference,
        customer_id=customer_id,
        asset=asset.value,
        cents=cents,
        at=at,
        actor=actor.name,
    )
    return retry_on_conflict(lambda: _pay_over(requested, actor=actor))


def _pay_over(requested: PayOver, *, actor: Actor) -> PayOver:
    books = open_books(at=requested.at)
    lock_names([f"pay-over:{requested.reference}"])
    existing = PayOver.objects.filter(reference=requested.reference).first()
    if existing is not None:
        if _content(existing) != _content(requested):
            raise ReferenceInUse(existing)
        return existing
    requested.booked_on = books.day_for(books.today)
    _move(requested)
    requested.save(force_insert=True)
    record_entries([_entry(requested)], at=requested.at, actor=actor)
    return requested


def _content(pay_over: PayOver) -> tuple[int, str, int]:
    return pay_over.customer_id, pay_over.asset, pay_over.cents


def _move(requested: PayOver) -> None:
    cents = requested.cents
    customer = customer_account_id(
        Account.Kind.CUSTOMER.value, requested.asset, requested.customer_id
    )
    wallet = shared_account_id(Account.Kind.WALLET.value, requested.asset, process_stripe())
    found_cents = lock_balances([wallet, customer]).get(customer, 0)
    if found_cents < cents:
        raise InsufficientBalance(found_cents=found_cents, needed_cents=cents)
    post_single_transfer(
        origin=requested.id,
        purpose=Transfer.Purpose.PAID_OVER.value,
        debit_id=customer,
        credit_id=wallet,
        cents=cents,
        at=requested.at,
    )


def _entry(pay_over: PayOver) -> Entry:
    details = {
        "id": str(pay_over.id),
        "customer": pay_over.customer.pseudonym,
        "asset": pay_over.asset,
        "amount": format_cents(pay_over.cents),
    }
    return Entry("PAID_OVER", f"pay-over:{pay_over.reference}", details)
