"""Posting to the ledger: entries of transfers, and the balances they change."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
# Two batches never wait for each other: accounts are opened in one order, before any is locked,
# and locked in the order of their ids.
_OPEN_ACCOUNTS: Final = """
    INSERT INTO payouts_account (kind, asset, customer_id, stripe, balance_cents)
    SELECT wanted.kind, wanted.asset, wanted.customer_id, wanted.stripe, 0
      FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::smallint[])
           AS wanted (kind, asset, customer_id, stripe)
     WHERE NOT EXISTS (SELECT FROM payouts_account AS account
                        WHERE account.kind = wanted.kind AND account.asset = wanted.asset
                          AND account.stripe = wanted.stripe
                          AND account.customer_id IS NOT DISTINCT FROM wanted.customer_id)
     ORDER BY kind, asset, customer_id, stripe
        ON CONFLICT DO NOTHING
"""
_LOCK_ACCOUNTS: Final = """
    SELECT account.id, wanted.number
      FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::smallint[])
           WITH ORDINALITY AS wanted (kind, asset, customer_id, stripe, number)
      JOIN payouts_account AS account
        ON account.kind = wanted.kind AND account.asset = wanted.asset
       AND account.stripe = wanted.stripe
       AND account.customer_id IS NOT DISTINCT FROM wanted.customer_id
     ORDER BY account.id
       FOR NO KEY UPDATE OF account
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


def _lock_accounts(keys: Iterable[AccountKey]) -> dict[AccountKey, int]:
    ordered = sorted(keys, key=lambda key: (key.kind, key.asset, key.customer_id or 0))
    stripe = os.getpid() % STRIPES
    columns = (
        [key.kind for key in ordered],
        [key.asset for key in ordered],
        [key.customer_id for key in ordered],
        [stripe if key.customer_id is None else 0 for key in ordered],
    )
    with connection.cursor() as cursor:
        cursor.execute(_OPEN_ACCOUNTS, columns)
        cursor.execute(_LOCK_ACCOUNTS, columns)
        rows = cursor.fetchall()
    return {ordered[number - 1]: account_id for account_id, number in rows}


def _change_balances(postings: Sequence[Posting], accounts: dict[AccountKey, int]) -> None:
    changes: defaultdict[int, int] = defaultdict(int)
    for posting in postings:
        changes[accounts[posting.debit]] -= posting.amount_cents
        changes[accounts[posting.credit]] += posting.amount_cents
    with connection.cursor() as cursor:
        cursor.execute(_CHANGE_BALANCES, (list(changes.keys()), list(changes.values())))
