"""Pay tables of side bets, shared by all sheets with these bets."""

from types import MappingProxyType
from typing import Final

from rounds.rules.blackjack.side_bets import (
    COLOURED_PAIR,
    FLUSH,
    MIXED_PAIR,
    PERFECT_PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED_TRIPS,
    TRIPS,
)
from rounds.rules.odds import Odds

PAIRS_PAY: Final = MappingProxyType(
    {
        PERFECT_PAIR: Odds(25, 1),
        COLOURED_PAIR: Odds(12, 1),
        MIXED_PAIR: Odds(6, 1),
    }
)
"""[BJ] Vincite, Coppie Perfette; [MFB] Table dei pagamenti. R: [QB], whose picture is lost."""

THREE_CARDS_PAY: Final = MappingProxyType(
    {
        SUITED_TRIPS: Odds(100, 1),
        STRAIGHT_FLUSH: Odds(40, 1),
        TRIPS: Odds(30, 1),
        STRAIGHT: Odds(10, 1),
        FLUSH: Odds(5, 1),
    }
)
"""[BJ] Vincite, 21+3; [MFB] Table dei pagamenti. R: [QB], whose picture is lost."""
