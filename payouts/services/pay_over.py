"""Handing a customer's money over to the gaming account in the operator's wallet, once."""

from datetime import datetime
from typing import Final

from compliance.trail.actor import Actor
from compliance.trail.copying import NULL, moment
from compliance.trail.record import Entry, record_entries
from payouts.models import Account, PayOver, Transfer
from payouts.models.account import customer_account_id, shared_account_id
from payouts.services.collisions import again_after_collision
from payouts.services.ledger import lock_balances, post_transfers
from payouts.services.stripe import own_stripe
from rounds.books import open_books
from rounds.identity import identity
from rounds.rules.money import format_cents
from rounds.services.intake import lock_names
from rounds.storage import milliseconds_of

_ENTRY: Final = 1
_LINE: Final = 0
_MOST_CHARACTERS: Final = 100


class NotPaidOver(Exception):
    """Money that is not handed over; nothing was written."""


class NotEnoughThere(NotPaidOver):
    """The customer has less than is to be handed over."""

    def __init__(self, *, found_cents: int, needed_cents: int) -> None:
        found, needed = format_cents(found_cents), format_cents(needed_cents)
        super().__init__(f"found {found} on the customer's account; needed {needed}")
        self.found_cents = found_cents
        self.needed_cents = needed_cents


class ReferenceInUse(NotPaidOver):
    """The operator gave the same reference to another hand-over before."""

    def __init__(self, known: PayOver) -> None:
        found = f"{format_cents(known.cents)} in {known.asset} of {known.customer.pseudonym}"
        when = f"handed over under {known.reference} at {known.at.isoformat()}"
        super().__init__(f"found {found}, {when}; needed a new reference")
        self.known = known


def pay_over(
    *,
    reference: str,
    customer_id: int,
    cents: int,
    asset: Account.Asset = Account.Asset.CASH,
    at: datetime,
    actor: Actor,
) -> PayOver:
    """Moves so many cents from the customer's account to the operator's wallet.

    ``reference`` is the operator's own. The same again moves nothing and gives the first hand-over,
    so whoever did not hear the answer simply asks again. Raises NotEnoughThere or ReferenceInUse,
    or NotPaidOver where there is no amount or no reference.
    """
    if cents <= 0:
        raise NotPaidOver(f"found {format_cents(cents)}; needed an amount above nothing")
    if not (reference.strip() and reference.isprintable() and len(reference) <= _MOST_CHARACTERS):
        raise NotPaidOver(f"found {reference!r}; needed a reference of 1 to 100 characters")
    asked = PayOver(
        id=identity(name=f"pay-over {reference}", at=milliseconds_of(at)),
        reference=reference,
        customer_id=customer_id,
        asset=asset.value,
        cents=cents,
        at=at,
        actor=actor.name,
    )
    return again_after_collision(lambda: _pay_over(asked, actor=actor))


def _pay_over(asked: PayOver, *, actor: Actor) -> PayOver:
    books = open_books(at=asked.at)
    lock_names([f"pay-over:{asked.reference}"])
    known = PayOver.objects.filter(reference=asked.reference).first()
    if known is not None:
        if _content(known) != _content(asked):
            raise ReferenceInUse(known)
        return known
    asked.booked_on = books.day_for(books.today)
    _move(asked)
    asked.save(force_insert=True)
    record_entries([_entry(asked)], at=asked.at, actor=actor)
    return asked


def _content(pay_over: PayOver) -> tuple[int, str, int]:
    return pay_over.customer_id, pay_over.asset, pay_over.cents


def _move(asked: PayOver) -> None:
    cents = asked.cents
    customer = customer_account_id(Account.Kind.CUSTOMER.value, asked.asset, asked.customer_id)
    wallet = shared_account_id(Account.Kind.WALLET.value, asked.asset, own_stripe())
    found_cents = lock_balances([wallet, customer]).get(customer, 0)
    if found_cents < cents:
        raise NotEnoughThere(found_cents=found_cents, needed_cents=cents)
    line = (
        f"{asked.id}\t{_ENTRY}\t{moment(asked.at)}\t{_LINE}\t{Transfer.Purpose.PAID_OVER.value}"
        f"\t{customer}\t{wallet}\t{cents}\t{NULL}\t{NULL}\t{NULL}\n"
    )
    post_transfers([line], {customer: -cents, wallet: cents})


def _entry(done: PayOver) -> Entry:
    details = {
        "id": str(done.id),
        "customer": done.customer.pseudonym,
        "asset": done.asset,
        "amount": format_cents(done.cents),
    }
    return Entry("PAID_OVER", f"pay-over:{done.reference}", details)
