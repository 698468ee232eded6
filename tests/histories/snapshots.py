"""Reads of rounds in one snapshot, and what of them was committed in the end."""

from collections.abc import Sequence
from typing import Any, Final

from psycopg import Connection

from tests.books import SUM_OF_ALL_BALANCES, rows_of
from tests.histories.operations import ABSENT, Committed, Seen, Version

STORED: Final = "stored"
"""The content of version 0 of a round; each settlement is a further version, with its payout."""
_LATEST: Final = """
    SELECT round.reference, coalesce(settled.sequence, 0), settled.payout_cents
      FROM rounds_round AS round
      LEFT JOIN LATERAL (SELECT sequence, payout_cents FROM payouts_settlement
                          WHERE round_id = round.id ORDER BY sequence DESC LIMIT 1)
           AS settled ON true
     WHERE round.reference = ANY(%s)
"""
_ALL: Final = """
    SELECT round.reference, round.booked_on, settled.payout_cents, settled.booked_on
      FROM rounds_round AS round
      LEFT JOIN payouts_settlement AS settled ON settled.round_id = round.id
     ORDER BY round.id, settled.sequence
"""


class Unbalanced(Exception):
    """A state was visible in which the books were wrong."""


def thing_of(reference: str) -> str:
    """The name of a round in a history."""
    return f"round {reference}"


def seen_of(settlements: Sequence[int]) -> tuple[int, str]:
    """What is seen of a round with settlements that pay so many cents, in their order."""
    return len(settlements), str(settlements[-1]) if settlements else STORED


def read_rounds(connection: Connection[Any], references: Sequence[str]) -> Seen:
    """The latest settlements of rounds in one snapshot. Raises Unbalanced.

    The connection's transactions must be repeatable reads.
    """
    with connection.transaction():
        rows = connection.execute(_LATEST, [list(references)]).fetchall()
        [[total]] = connection.execute(SUM_OF_ALL_BALANCES).fetchall()
    if total != 0:
        raise Unbalanced(f"all balances sum to {total} cents while {len(rows)} rounds are read")
    found = {
        reference: (sequence, str(cents) if sequence else STORED)
        for reference, sequence, cents in rows
    }
    return {thing_of(reference): found.get(reference, ABSENT) for reference in references}


def committed_rounds() -> Committed:
    """The versions of all rounds; their eras are the days on which they are booked."""
    versions: dict[str, list[Version]] = {}
    for reference, booked_on, cents, settled_on in rows_of(_ALL):
        first = Version(STORED, booked_on.toordinal())
        known = versions.setdefault(thing_of(reference), [first])
        if cents is not None:
            known.append(Version(str(cents), settled_on.toordinal()))
    return {thing: tuple(known) for thing, known in versions.items()}
