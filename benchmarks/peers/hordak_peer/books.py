"""Transfers of rounds in django-hordak: by its object API, and by bulk inserts.

Bulk inserts use its own models and managers, with triggers, foreign keys and durable commits. It
stores no balances, so none are written.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from django.db import transaction
from django.utils import timezone
from hordak.models import Account, AccountType, Leg, Transaction
from moneyed import EUR, Money

_AT_ONCE: Final = 5_000
_CENT: Final = Decimal("0.01")
_BATCH_ROUNDS: Final = 500
_T = TypeVar("_T")
_TYPES: Final = {"wallet": AccountType.asset, "house": AccountType.income}


class Transfer(NamedTuple):
    """Cents from the debited to the credited account, each by its name."""

    debit: str
    credit: str
    cents: int


Round = Sequence[Transfer]
"""All transfers of one round."""


def open_accounts(rounds: Iterable[Round]) -> dict[str, Any]:
    """An account for every name; rows of a flat tree, since its own ``save`` is for few."""
    names = {name for transfers in rounds for transfer in transfers for name in transfer[:2]}
    accounts = [
        Account(
            name=name,
            type=_TYPES.get(name.partition("/")[0], AccountType.liability),
            tree_id=number,
            lft=1,
            rght=2,
            level=0,
            currencies=["EUR"],
        )
        for number, name in enumerate(sorted(names), start=1)
    ]
    Account.objects.bulk_create(accounts, batch_size=_AT_ONCE)
    return {account.name: account for account in accounts}


def post_objects(rounds: Sequence[Round], accounts: Mapping[str, Any]) -> None:
    """``transfer_to`` for each transfer; a commit a round."""
    for transfers in rounds:
        with transaction.atomic():
            for debit, credit, cents in transfers:
                accounts[credit].transfer_to(accounts[debit], _money(cents))


def post_bulk(rounds: Sequence[Round], accounts: Mapping[str, Any]) -> None:
    """A journal transaction with two legs for each transfer; a commit for 500 rounds."""
    for batch in _batches(rounds):
        entries = [[(t.debit, t.credit, t.cents)] for transfers in batch for t in transfers]
        _post_entries(entries, accounts)


def post_bulk_by_round(rounds: Sequence[Round], accounts: Mapping[str, Any]) -> None:
    """One journal transaction for each round, its transfers summed up by account and side."""
    for batch in _batches(rounds):
        _post_entries([transfers for transfers in batch if transfers], accounts)


def _post_entries(
    entries: Sequence[Sequence[tuple[str, str, int]]], accounts: Mapping[str, Any]
) -> None:
    with transaction.atomic():
        now = timezone.now()
        headers = [Transaction(timestamp=now, date=now.date()) for _ in entries]
        Transaction.objects.bulk_create(headers, batch_size=_AT_ONCE)
        legs = [
            Leg(transaction=header, account=accounts[name], **{side: _money(cents)})
            for header, entry in zip(headers, entries, strict=True)
            for side, name, cents in _legs(entry)
        ]
        Leg.objects.bulk_create(legs, batch_size=_AT_ONCE)


def _legs(entry: Sequence[tuple[str, str, int]]) -> Iterator[tuple[str, str, int]]:
    """Side, account and cents of each leg of an entry."""
    sums: defaultdict[tuple[str, str], int] = defaultdict(int)
    for debit, credit, cents in entry:
        sums["debit", debit] += cents
        sums["credit", credit] += cents
    for (side, name), cents in sums.items():
        yield side, name, cents


def balances() -> dict[str, int]:
    """Cents of credits less debits of every account, as the library's legs add up to."""
    by_account: defaultdict[str, int] = defaultdict(int)
    for name, credit, debit in Leg.objects.values_list("account__name", "credit", "debit"):
        by_account[name] += int(((credit or 0) - (debit or 0)) / _CENT)
    return dict(by_account)


def _money(cents: int) -> Any:
    return Money(cents * _CENT, EUR)


def _batches(rounds: Sequence[_T]) -> Iterator[list[_T]]:
    left = iter(rounds)
    while batch := list(islice(left, _BATCH_ROUNDS)):
        yield batch
