"""Proofs that a day's totals count a customer, as the API returns them."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from .proofs import RecordProof


@dataclass(frozen=True, kw_only=True)
class TotalsSums:
    """The four sums of a share or node, in cents."""

    stakes_cents: Annotated[int, "Cash stakes of bets that the day settled and did not void"]
    winnings_cents: Annotated[int, "Paid to these bets, stakes included"]
    reversed_stakes_cents: Annotated[
        int, "What earlier days counted as stakes of bets that the day settled again"
    ]
    reversed_winnings_cents: Annotated[int, "The same for winnings"]


@dataclass(frozen=True, kw_only=True)
class TotalsNode(TotalsSums):
    """A node beside a path to the root."""

    digest: str


@dataclass(frozen=True, kw_only=True)
class TotalsShare(TotalsSums):
    """A share of the customer's sums."""

    nonce: Annotated[str, "Opens the commitment of the leaf, hexadecimal digits"]
    leaf: Annotated[int, "The place of the leaf, from 0"]
    path: Annotated[tuple[TotalsNode, ...], "The other child of each node above it, from below"]


@dataclass(frozen=True, kw_only=True)
class TotalsGame:
    """The customer's shares in the sum tree of a game."""

    game: str
    shares: Annotated[tuple[TotalsShare, ...], "In the order of their numbers, from 1"]


@dataclass(frozen=True, kw_only=True)
class DayTotals:
    """The proof that a day's totals count a customer."""

    totals: Annotated[str, "The format of the proof"]
    customer: str
    day: dt.date
    games: tuple[TotalsGame, ...]
    record: Annotated[
        RecordProof, "The audit record of the export, with the roots and the manifest's digest"
    ]
