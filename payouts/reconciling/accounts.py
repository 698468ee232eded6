"""Accounts: a balance is the sum of its transfers, on the side on which it may be.

What a customer has is never below zero and what he owes never above. All accounts of an asset sum
to zero, and the stakes held are those of the rounds that nobody has decided about yet.
"""

from typing import Final, NamedTuple

from payouts.models import Account
from payouts.models.account import customer_of, kind_and_asset_of
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

# Nothing is sorted or joined account by account: each table is read once.
_UNLIKE: Final = """
    SELECT id, account.balance_cents, coalesce(moved.cents, 0)::bigint
      FROM (SELECT id, balance_cents FROM payouts_account WHERE {id}) AS account
      FULL JOIN (SELECT id, sum(cents) AS cents
                   FROM (SELECT credit_id AS id, amount_cents AS cents
                           FROM payouts_transfer WHERE {credit_id}
                          UNION ALL
                         SELECT debit_id, -amount_cents FROM payouts_transfer WHERE {debit_id}
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
# The database holds ids to the kinds that there are, and a word that is none of them to nothing.
_KINDS: Final = f"""
    SELECT id, kind, asset FROM payouts_account
     WHERE {{id}} AND NOT (kind = ANY(ARRAY{Account.Kind.values})
                           AND asset = ANY(ARRAY{Account.Asset.values}))
     ORDER BY id
"""  # noqa: S608  our own words
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
    """Account ids from ``first`` to before ``end``; None where it is open."""

    first: int | None
    end: int | None

    def holds(self, column: str) -> str:
        """SQL: whether a column of account ids lies in it."""
        least = f"{column} >= {self.first}" if self.first is not None else "true"
        return least if self.end is None else f"{least} AND {column} < {self.end}"

    def holds_customers(self, column: str) -> str:
        """SQL: whether a column of customers' ids lies in it; each lies in one range of several."""
        ends = [None if end is None else customer_of(end) for end in self]
        return AccountRange(*ends).holds(column)


OF_THE_HOUSE: Final = AccountRange(None, 0)
"""Accounts that all rounds share."""

_STARTS: Final = """
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number
                      FROM payouts_account WHERE id >= 0) AS numbered
     WHERE mod(number, %(most)s) = 1 ORDER BY id
"""


def cut_customers(*, most: int) -> list[AccountRange]:
    """The accounts of customers in ranges of about so many, without a gap between."""
    starts = [start for (start,) in rows_of(_STARTS, {"most": most})]
    firsts = [0, *starts[1:]]
    return [AccountRange(*ends) for ends in zip(firsts, [*firsts[1:], None], strict=True)]


def check_accounts(accounts: AccountRange, found: Found) -> None:
    """Each balance against its transfers, and the side that it is on."""
    columns = {name: accounts.holds(name) for name in ("id", "credit_id", "debit_id")}
    [(count,)] = rows_of(_COUNT.format(**columns))
    found.looked_at["accounts"] += count
    unlike = rows_of(_UNLIKE.format(**columns))
    known = Account.objects.select_related("customer").in_bulk([row[0] for row in unlike])
    for account_id, balance, moved in unlike:
        about = {"account": account_id, **_named(known.get(account_id))}
        stored = None if balance is None else {"cents": balance}
        found.add(
            Difference(Kind.BALANCE, about, stored, {"cents": moved}, account_id=account_id),
        )
    for account_id, kind, asset in rows_of(_KINDS.format(**columns)):
        about, stored = {"account": account_id}, {"kind": kind, "asset": asset}
        needed = dict(zip(stored, kind_and_asset_of(account_id) or (), strict=False))
        found.add(Difference(Kind.BALANCE, about, stored, needed, account_id=account_id))
    for account_id, kind, balance in rows_of(_WRONG_SIDE.format(**columns)):
        about = {"account": account_id, "kind": kind}
        found.add(Difference(Kind.SIGN, about, {"cents": balance}, None, account_id=account_id))


def check_sums(found: Found) -> None:
    """What all accounts come to, and what is held for rounds that wait for a decision."""
    for asset, cents in rows_of(_SUMS):
        found.add(Difference(Kind.ZERO_SUM, {"asset": asset}, {"cents": cents}, {"cents": 0}))
    [held], [staked] = rows_of(_HELD), rows_of(_STAKED_ON_HELD)
    for asset, booked, expected in zip(Account.Asset.values, held, staked, strict=True):
        if booked != expected:
            about = {"asset": asset}
            found.add(
                Difference(Kind.STAKES_HELD, about, {"cents": booked}, {"cents": expected}),
            )


def _named(account: Account | None) -> dict[str, str]:
    if account is None:
        return {}
    whose = "" if account.customer is None else account.customer.pseudonym
    return {"kind": account.kind, "asset": account.asset, "customer": whose}
