"""Basic strategy of blackjack, and mistakes of players.

The chart is total-dependent basic strategy for several decks. Games differ by less than the
mistakes, so one chart serves all. H hit, S stand, D double (else hit), d double (else stand),
P split.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from rounds.rules.blackjack.totals import TWENTY_ONE, VALUES, total_of
from rounds.simulation.chance import happens, pick

_UPCARDS: Final = 10
_COLUMNS: Final = {rank: column for column, rank in enumerate("23456789TA")} | dict.fromkeys(
    "JQK", 8
)


def _chart(text: str) -> Mapping[int, str]:
    rows = (line.split() for line in text.strip().splitlines())
    return {int(total): letters for total, letters in rows}


#        dealer's upcard 23456789TA
_HARD: Final = _chart("""
    9                    HDDDDHHHHH
    10                   DDDDDDDDHH
    11                   DDDDDDDDDH
    12                   HHSSSHHHHH
    13                   SSSSSHHHHH
    14                   SSSSSHHHHH
    15                   SSSSSHHHHH
    16                   SSSSSHHHHH
""")
_SOFT: Final = _chart("""
    12                   HHHHHHHHHH
    13                   HHHDDHHHHH
    14                   HHHDDHHHHH
    15                   HHDDDHHHHH
    16                   HHDDDHHHHH
    17                   HDDDDHHHHH
    18                   SddddSSHHH
""")
_PAIRS: Final = _chart("""
    1                    PPPPPPPPPP
    2                    PPPPPP----
    3                    PPPPPP----
    4                    ---PP-----
    6                    PPPPP-----
    7                    PPPPPP----
    8                    PPPPPPPPPP
    9                    PPPPP-PP--
""")
_ZAPS: Final = _chart("""
    15                   ZZZZZZZZZZ
    16                   ZZZZZZZZZZ
    17                   ZZZZZZZZZZ
    18                   -------ZZZ
""")


class Options(NamedTuple):
    """The allowed decisions besides hitting and standing."""

    double: bool
    split: bool
    zap: bool


NOTHING_ELSE: Final = Options(double=False, split=False, zap=False)


def same_value(cards: Sequence[str]) -> bool:
    """Whether two cards have the same value and can be split."""
    first, second = cards
    return VALUES[first] == VALUES[second]


def advice(cards: Sequence[str], upcard: str, options: Options) -> str:
    """The decision of basic strategy for a hand against the dealer's upcard."""
    column = _COLUMNS[upcard[0]]
    total, soft = total_of(cards)
    if options.split and _PAIRS.get(VALUES[cards[0]], "-" * _UPCARDS)[column] == "P":
        return "P"
    if options.zap and _ZAPS.get(total, "-" * _UPCARDS)[column] == "Z":
        return "Z"
    default = "S" if total > (18 if soft else 16) else "H"
    letter = (_SOFT if soft else _HARD).get(total, default * _UPCARDS)[column]
    if letter in "Dd" and not options.double:
        return "H" if letter == "D" else "S"
    return letter.upper()


def mistake(rng: Random, *, total: int, options: Options) -> str:
    """Any allowed decision, except drawing on twenty or more."""
    draws = total < TWENTY_ONE - 1
    letters = "S" + "H" * draws + "D" * (draws and options.double)
    return pick(rng, letters + "P" * options.split + "Z" * options.zap)


def decision(rng: Random, *, advised: str, errs: float, total: int, options: Options) -> str:
    """The advised decision, or a mistake with probability ``errs``."""
    return mistake(rng, total=total, options=options) if happens(rng, errs) else advised
