"""Posting transfers, and updating the balances."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection

from compliance.storage.copy_rows import copy_lines
from compliance.storage.copy_text import NULL, moment
from payouts.ledger.models import Transfer
from payouts.ledger.models.account import opened_accounts

COLUMNS: Final = (
    "origin",
    "entry",
    "posted_at",
    "line",
    "purpose",
    "debit_id",
    "credit_id",
    "amount_cents",
    "bet_number",
    "reverses_entry",
    "reverses_line",
)
"""The columns of a transfer, in the order of ``copy_transfers``."""

_SINGLE_ENTRY: Final = 1
_SINGLE_LINE: Final = 0
# Rows are locked in the order of their ids, so that two batches never deadlock; a hash join would
# lock them in any order. A missing account is opened; if another transaction opens it first, the
# insert adds to its balance.
_CHANGE: Final = f"""
    WITH change AS MATERIALIZED (
        SELECT id, cents FROM unnest(%s::bigint[], %s::bigint[]) AS change (id, cents) ORDER BY id
    ), known AS (
        UPDATE payouts_account AS account
           SET balance_cents = account.balance_cents + change.cents
          FROM change WHERE account.id = change.id
        RETURNING account.id
    )
    INSERT INTO payouts_account (id, kind, asset, customer_id, stripe, balance_cents)
    {opened_accounts("SELECT id, cents FROM change WHERE id NOT IN (SELECT id FROM known)")}
        ON CONFLICT (id) DO UPDATE
       SET balance_cents = payouts_account.balance_cents + excluded.balance_cents
"""

_LOCK: Final = """
    SELECT id, balance_cents FROM payouts_account
     WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE
"""

Changes = defaultdict[int, int]
"""The change of each account's balance, in cents."""


def no_changes() -> Changes:
    """An empty set of changes."""
    return defaultdict(int)


def post_transfers(blocks: Iterable[str], changes: Mapping[int, int]) -> None:
    """Writes transfers and updates the balances, in the current transaction.

    ``blocks`` are lines of ``COLUMNS`` (``copy_lines``); ``changes`` are their sums by account.
    Missing accounts are opened. Raises IntegrityError if a transfer was posted before.
    """
    copy_transfers(blocks)
    change_balances(changes)


def post_single_transfer(
    *, origin: UUID, purpose: str, debit_id: int, credit_id: int, cents: int, at: datetime
) -> None:
    """Posts the one transfer of a pay-over or of a goodwill credit."""
    line = (
        f"{origin}\t{_SINGLE_ENTRY}\t{moment(at)}\t{_SINGLE_LINE}\t{purpose}"
        f"\t{debit_id}\t{credit_id}\t{cents}\t{NULL}\t{NULL}\t{NULL}\n"
    )
    post_transfers([line], {debit_id: -cents, credit_id: cents})


def copy_transfers(blocks: Iterable[str]) -> None:
    """Writes transfers. The same transaction must change the balances."""
    copy_lines(Transfer, COLUMNS, blocks)


def change_balances(changes: Mapping[int, int]) -> None:
    """Updates balances by transfers of the same transaction."""
    if not changes:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_hashjoin = off")
        cursor.execute(_CHANGE, _columns(changes.items()))
        cursor.execute("SET LOCAL enable_hashjoin TO DEFAULT")


def lock_balances(account_ids: Iterable[int]) -> dict[int, int]:
    """Locks the existing ones of these accounts until the commit, and returns their balances.

    Accounts are locked by id, the order in which balances are updated. Lock all accounts of a
    transaction in one call, to avoid deadlocks.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, ["{" + ",".join(map(str, account_ids)) + "}"])
        return dict(cursor.fetchall())


def _columns(changes: Iterable[tuple[int, int]]) -> list[str]:
    """Array literals, which psycopg passes faster than lists."""
    return ["{" + ",".join(map(str, column)) + "}" for column in zip(*changes, strict=True)]
