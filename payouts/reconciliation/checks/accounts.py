"""Accounts: each balance is the sum of its transfers and has the right sign.

Transfers of a detached month count by the sum that was carried forward.
Customers' balances are never negative, receivables never positive. All accounts of an asset sum to
zero, and the stakes held are those of the undecided rounds.
"""

from typing import Final, NamedTuple

from payouts.carried_forward.detached_months import is_carried
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_of, kind_and_asset_of
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows

# Each table is read once, without a sort or a join per account.
_DIFFERENT: Final = """
    SELECT id, account.balance_cents, coalesce(moved.cents, 0)::bigint
      FROM (SELECT id, balance_cents FROM payouts_account WHERE {id}) AS account
      FULL JOIN (SELECT id, sum(cents) AS cents
                   FROM (SELECT credit_id AS id, amount_cents AS cents
                           FROM payouts_transfer WHERE {credit_id}
                          UNION ALL
                         SELECT debit_id, -amount_cents FROM payouts_transfer WHERE {debit_id}
                          UNION ALL
                         SELECT account_id, cents FROM payouts_carriedbalance
                          WHERE {carried} AND {account_id} AND cents <> 0
                        ) AS moves
                  GROUP BY id) AS moved USING (id)
     WHERE account.balance_cents IS DISTINCT FROM coalesce(moved.cents, 0)
     ORDER BY id
"""
_WRONG_SIDE: Final = """
    SELECT id, kind, balance_cents FROM payouts_account
     WHERE {id} AND (kind = 'customer' AND balance_cents < 0
                     OR kind = 'receivable' AND balance_cents > 0)
     ORDER BY id
"""
# A constraint ties ids to known kinds; an unknown kind or asset satisfies it.
_KINDS: Final = f"""
    SELECT id, kind, asset FROM payouts_account
     WHERE {{id}} AND NOT (kind = ANY(ARRAY{Account.Kind.values})
                           AND asset = ANY(ARRAY{Account.Asset.values}))
     ORDER BY id
"""
_COUNT: Final = "SELECT count(*) FROM payouts_account WHERE {id}"
_SUMS: Final = """
    SELECT asset, sum(balance_cents)::bigint FROM payouts_account
     GROUP BY asset HAVING sum(balance_cents) <> 0 ORDER BY asset
"""
_HELD: Final = """
    SELECT coalesce(sum(balance_cents) FILTER (WHERE asset = 'cash'), 0)::bigint,
           coalesce(sum(balance_cents) FILTER (WHERE asset = 'chips'), 0)::bigint
      FROM payouts_account WHERE kind = 'stakes_held'
"""
_STAKED_ON_HELD: Final = """
    SELECT coalesce(sum(stake_cents + raised_cents - chips_cents), 0)::bigint,
           coalesce(sum(chips_cents), 0)::bigint
      FROM (SELECT stake_cents, raised_cents, CASE WHEN golden THEN stake_cents ELSE 0 END
                   AS chips_cents
              FROM rounds_validation AS judged
              JOIN rounds_bet AS bet USING (round_id)
             WHERE judged.status = 'held' AND judged.sequence = 1
               AND NOT EXISTS (SELECT FROM payouts_settlement AS settled
                                WHERE settled.round_id = judged.round_id)) AS held
"""


class AccountRange(NamedTuple):
    """Account ids from ``first`` to before ``end``; None is unbounded."""

    first: int | None
    end: int | None

    def holds(self, column: str) -> str:
        """SQL: whether a column of account ids is in the range."""
        least = f"{column} >= {self.first}" if self.first is not None else "true"
        return least if self.end is None else f"{least} AND {column} < {self.end}"

    def holds_customers(self, column: str) -> str:
        """SQL: whether a column of customer ids is in the range. Ranges do not overlap."""
        ends = [None if end is None else customer_of(end) for end in self]
        return AccountRange(*ends).holds(column)


SHARED_ACCOUNTS: Final = AccountRange(None, 0)
"""The shared accounts."""

_STARTS: Final = """
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number
                      FROM payouts_account WHERE id >= 0) AS numbered
     WHERE mod(number, %(most)s) = 1 ORDER BY id
"""


def customer_account_ranges(*, most: int) -> list[AccountRange]:
    """The accounts of customers in adjacent ranges of about ``most`` accounts."""
    starts = [start for (start,) in fetch_rows(_STARTS, {"most": most})]
    firsts = [0, *starts[1:]]
    return [AccountRange(*ends) for ends in zip(firsts, [*firsts[1:], None], strict=True)]


def check_accounts(accounts: AccountRange, result: CheckResult) -> None:
    """Checks each balance against its transfers, and its sign."""
    names = ("id", "credit_id", "debit_id", "account_id")
    columns = {name: accounts.holds(name) for name in names}
    columns["carried"] = is_carried()
    [(count,)] = fetch_rows(_COUNT.format(**columns))
    result.looked_at["accounts"] += count
    different = fetch_rows(_DIFFERENT.format(**columns))
    known = Account.objects.select_related("customer").in_bulk([row[0] for row in different])
    for account_id, balance, moved in different:
        about = {"account": account_id, **_named(known.get(account_id))}
        stored = None if balance is None else {"cents": balance}
        result.add(
            Difference(Kind.BALANCE, about, stored, {"cents": moved}, account_id=account_id),
        )
    for account_id, kind, asset in fetch_rows(_KINDS.format(**columns)):
        about, stored = {"account": account_id}, {"kind": kind, "asset": asset}
        needed = dict(zip(stored, kind_and_asset_of(account_id) or (), strict=False))
        result.add(Difference(Kind.BALANCE, about, stored, needed, account_id=account_id))
    for account_id, kind, balance in fetch_rows(_WRONG_SIDE.format(**columns)):
        about = {"account": account_id, "kind": kind}
        result.add(Difference(Kind.SIGN, about, {"cents": balance}, None, account_id=account_id))


def check_sums(result: CheckResult) -> None:
    """Checks the sums of all accounts, and the stakes held against the undecided rounds."""
    for asset, cents in fetch_rows(_SUMS):
        result.add(Difference(Kind.ZERO_SUM, {"asset": asset}, {"cents": cents}, {"cents": 0}))
    [held], [staked] = fetch_rows(_HELD), fetch_rows(_STAKED_ON_HELD)
    for asset, booked, expected in zip(Account.Asset.values, held, staked, strict=True):
        if booked != expected:
            about = {"asset": asset}
            result.add(
                Difference(Kind.STAKES_HELD, about, {"cents": booked}, {"cents": expected}),
            )


def _named(account: Account | None) -> dict[str, str]:
    if account is None:
        return {}
    customer = "" if account.customer is None else account.customer.pseudonym
    return {"kind": account.kind, "asset": account.asset, "customer": customer}
