"""Posting to the ledger: transfers, and the balances that they change."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from django.db import connection

from compliance.trail.copying import copy_lines
from payouts.models import Transfer
from payouts.models.account import opened_accounts

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
"""Of a transfer, in the order in which ``copy_transfers`` wants them."""

# Rows are locked in the order of their ids, so that two batches never wait for each other; a hash
# join would take them as they come. What is not there yet is a customer who was never paid before,
# or a stripe that nobody wrote to; if another opens the account now, the insert adds to his.
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
"""  # noqa: S608  no text from outside

_LOCK: Final = """
    SELECT id, balance_cents FROM payouts_account
     WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE
"""

Changes = defaultdict[int, int]
"""By account the cents that its balance grows by."""


def no_changes() -> Changes:
    """Changes to begin with."""
    return defaultdict(int)


def post_transfers(blocks: Iterable[str], changes: Mapping[int, int]) -> None:
    """Makes transfers and changes the balances, in the current transaction.

    ``blocks`` are lines of ``COLUMNS`` (``copy_lines``); ``changes`` is what they come to for each
    account. Accounts that do not exist yet are opened; all stay locked until the commit. A posting
    that was made before violates the key of the transfers, and nothing is written.
    """
    copy_transfers(blocks)
    change_balances(changes)


def copy_transfers(blocks: Iterable[str]) -> None:
    """Makes transfers; the same transaction has to change the balances."""
    copy_lines(Transfer, COLUMNS, blocks)


def change_balances(changes: Mapping[int, int]) -> None:
    """Changes balances by transfers that the same transaction makes."""
    if not changes:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_hashjoin = off")
        cursor.execute(_CHANGE, _columns(changes.items()))
        cursor.execute("SET LOCAL enable_hashjoin TO DEFAULT")


def lock_balances(account_ids: Iterable[int]) -> dict[int, int]:
    """Balances in cents that nobody else changes before the commit; of accounts that exist.

    They are locked in the order in which balances are changed. Lock all that are to be changed at
    once, so that two who move money never wait for each other.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, ["{" + ",".join(map(str, account_ids)) + "}"])
        return dict(cursor.fetchall())


def _columns(moved: Iterable[tuple[int, int]]) -> list[str]:
    """As PostgreSQL writes arrays: psycopg takes its time with each element of a list."""
    return ["{" + ",".join(map(str, column)) + "}" for column in zip(*moved, strict=True)]
