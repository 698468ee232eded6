"""Posting to the ledger: entries of transfers, and the balances they change."""

import os
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.append_only import copy_rows
from payouts.models import Transfer

STRIPES: Final = 16
"""Rows of each account that every round touches."""

_COLUMNS: Final = (
    "round_id",
    "entry",
    "line",
    "purpose",
    "debit_id",
    "credit_id",
    "amount_cents",
    "bet_number",
    "posted_at",
)
_SHARED_ACCOUNTS: Final = """
    SELECT id, kind, asset, customer_id
      FROM payouts_account
     WHERE customer_id IS NULL AND stripe = %s
"""
_CUSTOMERS_ACCOUNTS: Final = """
    SELECT id, kind, asset, customer_id
      FROM payouts_account
     WHERE customer_id = ANY(%s)
"""
# Two batches never wait for each other: accounts are opened in one order, before any is locked,
# and locked in the order of their ids.
_OPEN_ACCOUNTS: Final = """
    INSERT INTO payouts_account (kind, asset, customer_id, stripe, balance_cents)
    SELECT kind, asset, customer_id, stripe, 0
      FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::smallint[])
           AS wanted (kind, asset, customer_id, stripe)
     ORDER BY kind, asset, customer_id, stripe
        ON CONFLICT DO NOTHING
"""
_LOCK_ACCOUNTS: Final = """
    SELECT FROM payouts_account WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE
"""
_CHANGE_BALANCES: Final = """
    UPDATE payouts_account AS account
       SET balance_cents = account.balance_cents + change.cents
      FROM unnest(%s::bigint[], %s::bigint[]) AS change (id, cents)
     WHERE account.id = change.id
"""


class AccountKey(NamedTuple):
    """Which account: the kind, cash or chips, the customer where it is a customer's."""

    kind: str
    asset: str
    customer_id: int | None = None


class Posting(NamedTuple):
    """One transfer still to be made: cents from the debit to the credit account."""

    round_id: UUID
    entry: int
    line: int
    purpose: str
    debit: AccountKey
    credit: AccountKey
    amount_cents: int
    bet_number: int | None = None


def post_transfers(postings: Sequence[Posting], *, at: datetime) -> None:
    """Makes transfers and changes the balances, in the current transaction.

    Accounts that do not exist yet are opened. The accounts stay locked until the commit. A
    posting that was made before violates the key of the transfers, and nothing is written.
    """
    if not postings:
        return
    accounts = _lock_accounts({key for p in postings for key in (p.debit, p.credit)})
    copy_rows(
        Transfer,
        _COLUMNS,
        (
            (
                posting.round_id,
                posting.entry,
                posting.line,
                posting.purpose,
                accounts[posting.debit],
                accounts[posting.credit],
                posting.amount_cents,
                posting.bet_number,
                at,
            )
            for posting in postings
        ),
    )
    _change_balances(postings, accounts)


def _lock_accounts(keys: AbstractSet[AccountKey]) -> dict[AccountKey, int]:
    """The ids of these accounts, opened where they do not exist yet, locked until the commit."""
    stripe = os.getpid() % STRIPES
    accounts = _accounts_of(keys, stripe)
    missing = keys - accounts.keys()
    with connection.cursor() as cursor:
        if missing:
            columns = (
                [key.kind for key in missing],
                [key.asset for key in missing],
                [key.customer_id for key in missing],
                [stripe if key.customer_id is None else 0 for key in missing],
            )
            cursor.execute(_OPEN_ACCOUNTS, columns)
            accounts = _accounts_of(keys, stripe)
        cursor.execute(_LOCK_ACCOUNTS, [list(accounts.values())])
    return accounts


def _accounts_of(keys: AbstractSet[AccountKey], stripe: int) -> dict[AccountKey, int]:
    """The ids of those of these accounts that exist."""
    customers = {key.customer_id for key in keys if key.customer_id is not None}
    with connection.cursor() as cursor:
        cursor.execute(_SHARED_ACCOUNTS, [stripe])
        rows = cursor.fetchall()
        cursor.execute(_CUSTOMERS_ACCOUNTS, [list(customers)])
        rows += cursor.fetchall()
    found = {AccountKey(*key): account_id for account_id, *key in rows}
    return {key: found[key] for key in keys & found.keys()}


def _change_balances(postings: Sequence[Posting], accounts: dict[AccountKey, int]) -> None:
    changes: defaultdict[int, int] = defaultdict(int)
    for posting in postings:
        changes[accounts[posting.debit]] -= posting.amount_cents
        changes[accounts[posting.credit]] += posting.amount_cents
    with connection.cursor() as cursor:
        cursor.execute(_CHANGE_BALANCES, (list(changes.keys()), list(changes.values())))
