"""Void bets of every game: placed out of time, or by a disconnected player.

These are rules of the feed contract ("Void bets"), on which the sheets are silent or brief.
Decisions of the operator void bets too; they are no rules and part of no rule set.
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
    gettext_noop("Placed outside the betting time: void"),
    gettext_noop(
        "A bet is valid if it was placed from the opening to the closing of betting; an insurance,"
        " if it was placed after the closing and before the end of the round. Other bets are void"
        " and the stake is refunded."
    ),
)

DECISIONS: Final[Mapping[str, Citation]] = {
    BY_DECISION: Citation(
        "FEED",
        "What comes out",
        gettext_noop("Voided by decision"),
        gettext_noop(
            "Two persons of the operator, one proposing and one approving, cancelled the round:"
            " every bet is void and the stake is refunded."
        ),
    ),
    REFUNDED: Citation(
        "FEED",
        "What comes out",
        gettext_noop("Refunded by decision"),
        gettext_noop(
            "Two persons of the operator, one proposing and one approving, refunded this bet: it is"
            " void and the stake is returned. The other bets of the round remain valid."
        ),
    ),
}
"""Reasons of void bets that are decisions, not rules."""


def disconnected_players(dealt: Round) -> frozenset[str]:
    """Players who lost the connection before betting closed: their bets are void (detail 15)."""
    if not dealt.disconnects:
        return frozenset()
    return frozenset({entry.player for entry in dealt.disconnects if entry.at < dealt.closed_at})


def is_out_of_time(bet: Bet, dealt: Round) -> bool:
    """Whether the bet was placed outside betting time, ends included (detail 15)."""
    return not dealt.opened_at <= bet.placed_at <= dealt.closed_at
