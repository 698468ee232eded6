"""Bets that never count, whatever the game: placed out of time, or by a player who had left.

These are rules of the feed contract ("Void bets"), on which the sheets are silent or brief. A
decision of the operator cancels bets, too; no rule set declares it, because it is no rule.
"""

from collections.abc import Mapping
from typing import Final

from rounds.rules.citation import Citation, gettext_noop
from rounds.rules.facts import Bet, Round

LATE: Final = "void-out-of-time"
DISCONNECTED: Final = "void-disconnected"
MALFUNCTION: Final = "void-malfunction"
BY_DECISION: Final = "void-by-decision"
REFUNDED: Final = "refunded-by-decision"

OUT_OF_TIME: Final = Citation(
    "FEED",
    "Void bets",
    gettext_noop("Placed outside betting time: void"),
    gettext_noop(
        "A bet counts when it was placed from the opening of betting to its closing, an insurance"
        " when it was placed after the closing and before the end of the round. Any other is void"
        " and the stake goes back."
    ),
)

DECISIONS: Final[Mapping[str, Citation]] = {
    BY_DECISION: Citation(
        "FEED",
        "What comes out",
        gettext_noop("Void by decision"),
        gettext_noop(
            "Two persons of the operator, one who decides and one who approves, cancelled the"
            " round: every bet is void and the stake goes back."
        ),
    ),
    REFUNDED: Citation(
        "FEED",
        "What comes out",
        gettext_noop("Refunded by decision"),
        gettext_noop(
            "Two persons of the operator, one who decides and one who approves, gave this bet back:"
            " it is void and the stake goes back, the other bets of the round stand."
        ),
    ),
}
"""Why bets of any game can be void without a rule of their rule set."""


def players_gone(dealt: Round) -> frozenset[str]:
    """Who lost the connection before betting closed: their bets are void (detail 15)."""
    if not dealt.disconnects:
        return frozenset()
    return frozenset({who.player for who in dealt.disconnects if who.at < dealt.closed_at})


def bet_is_late(bet: Bet, dealt: Round) -> bool:
    """Whether the bet was placed outside betting time; both ends are in time (detail 15)."""
    return not dealt.opened_at <= bet.placed_at <= dealt.closed_at
