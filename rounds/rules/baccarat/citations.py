"""Citations of the rules of baccarat, by the headings of [BAC]."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.baccarat.bets import commission_of
from rounds.rules.baccarat.judge import PUSH_ON_TIE, BaccaratGame
from rounds.rules.citation import Citation, Figure, gettext_noop, with_figures
from rounds.rules.odds import Percent
from rounds.rules.void import DISCONNECTED, LATE, MALFUNCTION, OUT_OF_TIME

_BANKER: Final = "banker"
_RULES = "Regole del baccarat"
_SIDE_BETS = "Puntate aggiuntive"

_CITATIONS: Final[Mapping[str, Citation]] = MappingProxyType(
    {
        "player": Citation(
            "BAC",
            _RULES,
            gettext_noop("Player wins: %(odds)s"),
            gettext_noop(
                "Player's hand is nearer to nine than Banker's. A bet on Player pays %(odds)s."
            ),
        ),
        "banker": Citation(
            "BAC",
            _RULES,
            gettext_noop("Banker wins: %(odds)s"),
            gettext_noop(
                "Banker's hand is nearer to nine than Player's. A bet on Banker pays 1:1 less a"
                " commission of %(commission)s."
            ),
            rests_on=(
                "banker-commission",
                "winnings-rounding",
            ),
        ),
        "tie": Citation(
            "BAC",
            _RULES,
            gettext_noop("Tie: %(odds)s"),
            gettext_noop(
                "Both hands have the same value. The tie pays %(odds)s, and the stake is returned."
            ),
            rests_on=("tie-nine-for-one",),
        ),
        PUSH_ON_TIE: Citation(
            "BAC",
            _RULES,
            gettext_noop("Tie: Player and Banker push"),
            gettext_noop("Both hands have the same value: bets on Player and Banker are returned."),
        ),
        "lost": Citation(
            "BAC",
            _RULES,
            gettext_noop("A different result"),
            gettext_noop("The hand nearest to nine wins. The bet was on another result and loses."),
        ),
        "player_pair": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Player pair: %(odds)s"),
            gettext_noop("Player's first two cards have the same rank."),
            rests_on=("rank-or-value",),
        ),
        "banker_pair": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Banker pair: %(odds)s"),
            gettext_noop("Banker's first two cards have the same rank."),
            rests_on=(
                "pair-returns-contradict-odds",
                "rank-or-value",
            ),
        ),
        "either_pair": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Either pair: %(odds)s"),
            gettext_noop("The first two cards of one hand, or of both, have the same rank."),
            rests_on=("rank-or-value",),
        ),
        "perfect_pair": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Perfect pair: %(odds)s"),
            gettext_noop(
                "The first two cards of a hand have the same rank and suit. It pays once, even if"
                " both hands have such a pair."
            ),
            rests_on=(
                "perfect-pair-paid-once",
                "pair-returns-contradict-odds",
            ),
        ),
        "big": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Big: %(odds)s"),
            gettext_noop("Five or six cards were dealt in total."),
            rests_on=("winnings-rounding",),
        ),
        "small": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Small: %(odds)s"),
            gettext_noop("Four cards were dealt in total."),
            rests_on=("winnings-rounding",),
        ),
        "side-bet-lost": Citation(
            "BAC",
            _SIDE_BETS,
            gettext_noop("Side bet lost"),
            gettext_noop("The cards do not match the side bet, which loses."),
            rests_on=("rank-or-value",),
        ),
        LATE: OUT_OF_TIME._replace(rests_on=("betting-time-ends",)),
        DISCONNECTED: Citation(
            "FEED",
            "A player who lost the connection",
            gettext_noop("Connection lost before betting closed: void"),
            gettext_noop(
                "The player disconnected before betting closed: the bets of the round are refunded."
            ),
            rests_on=(
                "gone-before-closing",
                "betting-time-ends",
            ),
        ),
        MALFUNCTION: Citation(
            "FEED",
            "What comes out",
            gettext_noop("Malfunction: the round is void"),
            gettext_noop(
                "The studio declared a malfunction. The sheet has no rule for it; under the adopted"
                " interpretation the round is void and all stakes are refunded."
            ),
            rests_on=("baccarat-malfunction",),
        ),
    }
)

_BANKER_WITHOUT_COMMISSION: Final = gettext_noop(
    "Banker's hand is nearer to nine than Player's. A bet on Banker pays %(odds)s."
)


def citations_of(game: BaccaratGame) -> Mapping[str, Citation]:
    """The citations with the figures declared by this game."""
    figures: dict[str, dict[str, Figure]] = {
        kind: {"odds": bet.pays} for kind, bet in game.bets.items()
    }
    cited = dict(_CITATIONS)
    if banker := game.bets.get(_BANKER):
        if commission := commission_of(banker.pays):
            figures[_BANKER]["commission"] = Percent(commission)
        else:
            cited[_BANKER] = cited[_BANKER]._replace(summary=_BANKER_WITHOUT_COMMISSION)
    return with_figures(cited, figures)
