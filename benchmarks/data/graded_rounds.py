"""Graded rounds of a feed, as input for the peers.

The transfers of money are derived here independently of Sabot; a test compares them with the
postings of Sabot for the same feed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rounds import feed
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Bet, Round, ShoeOpening
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, VOID, Grade

CASH: Final = "cash"
CHIPS: Final = "chips"
WALLET: Final = "wallet"
STAKES_HELD: Final = "stakes_held"
HOUSE: Final = "house"
CUSTOMER: Final = "customer"


class Graded(NamedTuple):
    """A settled round and the grades of its bets, in their order."""

    dealt: Round
    grades: Sequence[Grade]


class Movement(NamedTuple):
    """Cents from one kind of account to another of the same asset."""

    asset: str
    debit: str
    credit: str
    cents: int


def graded_rounds(lines: Iterable[bytes]) -> Iterator[Graded]:
    """The rounds of a feed that settles from the first to the last."""
    shoes: dict[str, Shoe] = {}
    for line in lines:
        document = feed.parse_line(line)
        if isinstance(document, ShoeOpening):
            shoes[document.shoe] = Shoe.opened(document)
            continue
        shoe = None if document.shoe is None else shoes.get(document.shoe)
        verdict = rule_set(document.rules).judge(document, shoe)
        if shoe is not None and document.shoe is not None:
            shoes[document.shoe] = shoe.after(document)
        if verdict.status != SETTLED:
            raise AssertionError(f"{document.round} is {verdict.status}: {verdict.anomalies}")
        yield Graded(document, verdict.grades)


def stakes_taken(graded: Graded) -> list[Movement]:
    """All stakes of a round move from the operator's wallet to the stakes held."""
    return [
        Movement(asset, WALLET, STAKES_HELD, cents) for asset, cents in _by_asset(graded.dealt.bets)
    ]


def stakes_settled(graded: Graded) -> list[Movement]:
    """The stakes of all bets that counted go to the house."""
    pairs = zip(graded.dealt.bets, graded.grades, strict=True)
    counted = [bet for bet, grade in pairs if grade.outcome != VOID]
    return [Movement(asset, STAKES_HELD, HOUSE, cents) for asset, cents in _by_asset(counted)]


def paid(grade: Grade) -> list[Movement]:
    """What one bet credits to its customer; a void bet's stake never touches the house."""
    source = STAKES_HELD if grade.outcome == VOID else HOUSE
    parts = ((CASH, grade.payout_cents - grade.chips_cents), (CHIPS, grade.chips_cents))
    return [Movement(asset, source, CUSTOMER, cents) for asset, cents in parts if cents]


def _by_asset(bets: Sequence[Bet]) -> list[tuple[str, int]]:
    chips = sum(bet.stake_cents for bet in bets if bet.golden)
    total = sum(bet.stake_cents + bet.raised_cents for bet in bets)
    return [(asset, cents) for asset, cents in ((CASH, total - chips), (CHIPS, chips)) if cents]
