"""The books of a range of rounds, in a constant number of queries.

Of bet results and transfers only digests are read, which PostgreSQL computes. Rows are fetched only
where a digest differs from the expected one.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.storage.copy_text import NULL
from compliance.trail.key_ranges import KeyRange
from payouts.ledger.models import Account
from payouts.ledger.models.account import first_stripe_of, shared_account_id
from payouts.reconciliation.checks.snapshot import Fetch, fetch_rows

NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time in the lines of transfers. Times are compared separately."""

_DECIDING: Final = "purpose NOT IN ('reversal', 'shortfall')"
DECIDING: Final = f"""
    SELECT origin, entry, moved.line, moved.line - coalesce(first.line, 0) AS place,
           purpose, posted_at,
           {first_stripe_of("debit_id")} AS debit, {first_stripe_of("credit_id")} AS credit,
           amount_cents, bet_number, {_DECIDING} AS decides
      FROM payouts_transfer AS moved
      LEFT JOIN (SELECT origin, entry, min(line) AS line FROM payouts_transfer
                  WHERE {{origin}} AND entry > 1 AND {_DECIDING} GROUP BY origin, entry) AS first
     USING (origin, entry)
     WHERE {{origin}}
"""
"""SQL: transfers with their position after the reversals of their entry.

Shared accounts appear as their first stripe; ``decides`` excludes reversals and shortfalls.
"""

_HELD: Final = ", ".join(
    str(shared_account_id("stakes_held", asset, 0)) for asset in Account.Asset.values
)
_ENTRIES: Final = f"""
    SELECT origin, entry, count(*), min(line), max(line), min(posted_at), max(posted_at),
           sum(CASE WHEN credit IN ({_HELD}) THEN amount_cents ELSE 0 END
               - CASE WHEN debit IN ({_HELD}) THEN amount_cents ELSE 0 END)::bigint,
           sha256(convert_to(coalesce(string_agg(
               concat_ws(E'\\t', replace(origin::text, '-', ''), entry, '{NO_TIME.isoformat()}',
                         place, purpose, debit, credit, amount_cents,
                         coalesce(bet_number::text, '{NULL}'), '{NULL}', '{NULL}')
               || E'\\n', '' ORDER BY line)
               FILTER (WHERE decides), ''), 'UTF8'))
      FROM ({DECIDING}) AS moved
     GROUP BY origin, entry
"""
_RESULTS: Final = """
    SELECT round_id, sequence, sha256(convert_to(string_agg(
               concat_ws(E'\\t', bet_number, outcome, payout_cents, chips_cents, reasons)
               || E'\\n', '' ORDER BY bet_number), 'UTF8'))
      FROM payouts_betsettlement WHERE {round_id}
     GROUP BY round_id, sequence
"""
_SETTLEMENTS: Final = """
    SELECT round_id, sequence, kind, rules, rules_digest, staked_cents, payout_cents, chips_cents,
           bonus, results_digest, settled_at, actor, approved_by, reason, booked_on
      FROM payouts_settlement WHERE {round_id} ORDER BY round_id, sequence
"""
_VERDICTS: Final = """
    SELECT round_id, sequence, status, anomalies, validated_at, actor
      FROM rounds_validation WHERE {round_id} ORDER BY round_id, sequence
"""
_RULINGS: Final = """
    SELECT round_id, sequence, said FROM rounds_storedruling
     WHERE {round_id} ORDER BY round_id, sequence
"""
_ARRIVALS: Final = """
    SELECT round.id, round.arrival, round.limit_set_id, round.shoe_position, round.shoe_seen,
           round.rules_digest, round.digest, round.source, round.received_at, round.booked_on,
           round.arrival_anomalies, round.signed_batch_id, name.round_id, name.digest
      FROM rounds_round AS round
      LEFT JOIN rounds_roundname AS name USING (reference)
     WHERE {id}
"""
_WAITING: Final = "SELECT round_id FROM rounds_queuedround WHERE {round_id}"


class BookedArrival(NamedTuple):
    """The stored arrival of a round, with its name."""

    arrival: int
    limit_set_id: int | None
    shoe_position: int | None
    shoe_seen: bytes | None
    rules_digest: bytes
    digest: bytes
    source: str
    received_at: datetime
    booked_on: date
    arrival_anomalies: list[str]
    signed_batch_id: int | None
    name: UUID | None
    """The round that has the reference; None if there is none."""
    name_digest: bytes | None


class BookedSettlement(NamedTuple):
    """A stored settlement."""

    sequence: int
    kind: str
    rules: str
    rules_digest: bytes
    staked_cents: int
    payout_cents: int
    chips_cents: int
    bonus: dict[str, Any] | None
    results_digest: bytes
    settled_at: datetime
    actor: str
    approved_by: str | None
    reason: str
    booked_on: date


class BookedVerdict(NamedTuple):
    """A stored validation."""

    sequence: int
    status: str
    anomalies: list[str]
    validated_at: datetime
    actor: str


class BookedEntry(NamedTuple):
    """The transfers of one entry."""

    transfers: int
    lines: tuple[int, int]
    """The first and the last line number."""
    first_posted: datetime
    last_posted: datetime
    held_cents: int
    """The change of the stakes held, cash and golden chips together."""
    digest: bytes
    """The digest of the transfers without reversals and shortfalls."""


class Books:
    """The rows of a range of rounds, apart from their facts.

    Each check removes the rows of its round, so that the rows of no round remain. ``fetch`` reads
    them, and more of them where something differs.
    """

    def __init__(self, keys: KeyRange, fetch: Fetch = fetch_rows) -> None:
        self.fetch = fetch
        columns = {name: keys.holds(name) for name in ("round_id", "origin")}
        self.keys = keys
        self.waiting: set[UUID] = {row[0] for row in fetch(_WAITING.format(**columns))}
        arrivals = fetch(_ARRIVALS.format(id=keys.holds("round.id")))
        self.arrivals = {row[0]: BookedArrival(*row[1:]) for row in arrivals}
        self.verdicts: defaultdict[UUID, list[BookedVerdict]] = defaultdict(list)
        for round_id, *verdict in fetch(_VERDICTS.format(**columns)):
            self.verdicts[round_id].append(BookedVerdict(*verdict))
        self.settlements: defaultdict[UUID, list[BookedSettlement]] = defaultdict(list)
        for row in fetch(_SETTLEMENTS.format(**columns)):
            self.settlements[row[0]].append(_settlement(row[1:]))
        self.rulings: defaultdict[UUID, dict[int, Any]] = defaultdict(dict)
        """The stored rulings (``rounds.rulings``)."""
        for round_id, sequence, ruling in fetch(_RULINGS.format(**columns)):
            self.rulings[round_id][sequence] = json.loads(ruling)
        self.results: defaultdict[UUID, dict[int, bytes]] = defaultdict(dict)
        for round_id, sequence, digest in fetch(_RESULTS.format(**columns)):
            self.results[round_id][sequence] = bytes(digest)
        self.entries: defaultdict[UUID, dict[int, BookedEntry]] = defaultdict(dict)
        for origin, entry, count, first, last, *sums, digest in fetch(_ENTRIES.format(**columns)):
            booked = BookedEntry._make((count, (first, last), *sums, bytes(digest)))
            self.entries[origin][entry] = booked

    def forget(self, round_id: UUID) -> None:
        """Removes all rows of a round."""
        self.waiting.discard(round_id)
        for rows in (self.verdicts, self.settlements, self.rulings, self.results, self.entries):
            rows.pop(round_id, None)


def _settlement(row: Sequence[Any]) -> BookedSettlement:
    sequence, kind, rules, rules_digest, staked, payout, chips, bonus, digest, *rest = row
    return BookedSettlement(
        sequence,
        kind,
        rules,
        bytes(rules_digest),
        staked,
        payout,
        chips,
        None if bonus is None else json.loads(bonus),
        bytes(digest),
        *rest,
    )
