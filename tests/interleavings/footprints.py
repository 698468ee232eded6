"""What a released statement touched, and when two of them commute.

Tables, by what PostgreSQL counted during the statement, triggers and foreign keys included. What is
written becomes visible to others when it is committed, therefore a read commutes with a write and
does not commute with the commit that publishes it.
"""

from typing import Final, NamedTuple

NOTHING: Final = frozenset[str]()


class Footprint(NamedTuple):
    """The tables and advisory locks of one released statement."""

    reads: frozenset[str] = NOTHING
    """Tables of which only committed rows were read, without a lock."""
    shares: frozenset[str] = NOTHING
    """Tables read while writing: foreign keys lock what they find."""
    writes: frozenset[str] = NOTHING
    """Tables whose rows were written or locked; advisory locks."""
    inserts: frozenset[str] = NOTHING
    """Tables to which rows were only added, without a look at others."""
    publishes: frozenset[str] = NOTHING
    """What the transaction had written or locked, at its end."""
    adds: frozenset[str] = NOTHING
    """The tables to which the transaction had only added rows, at its end."""
    releases: frozenset[str] = NOTHING
    """What the transaction had shared, at its end."""
    keys: frozenset[str] = NOTHING
    """The values of unique indexes in the rows that were only added, also at the end."""
    is_snapshot: bool = False
    """Whether it fixed what all later statements of a repeatable read see."""
    is_everything: bool = False
    """Whether nothing is known: a failed statement, or one that is none of rows."""

    def as_writes(self) -> "Footprint":
        """With added rows as rows that were written."""
        return self._replace(writes=self.writes | self.inserts, inserts=NOTHING)


EVERYTHING: Final = Footprint(is_everything=True)


def conflict(one: Footprint, other: Footprint) -> bool:
    """Whether the order of the two may matter. Symmetric."""
    if one.is_everything or other.is_everything:
        return True
    return _affects(one, other) or _affects(other, one)


def _affects(one: Footprint, other: Footprint) -> bool:
    if (one.publishes or one.adds) and other.is_snapshot:
        return True
    locked = other.writes | other.inserts | other.shares
    ended = other.publishes | other.adds | other.releases
    seen = other.reads | other.shares
    return bool(
        one.writes & (locked | ended) or (one.publishes | one.adds) & seen or one.keys & other.keys
    )
