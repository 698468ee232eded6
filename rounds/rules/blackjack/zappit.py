"""Zappit Blackjack: the sheet [ZAP] in one hand, this page in the other."""

from datetime import date
from types import MappingProxyType
from typing import Final

from rounds.rules.blackjack import bust
from rounds.rules.blackjack.bets import WITHOUT_MAIN
from rounds.rules.blackjack.declaration import (
    AgainstBlackjack,
    BlackjackGame,
    Malfunction,
    Seating,
)
from rounds.rules.blackjack.reasons import (
    BLACKJACK,
    BUST,
    INSURANCE_LOST,
    INSURANCE_WON,
    LOSE,
    LOSE_TO_BLACKJACK,
    PUSH,
    PUSH_OF_BLACKJACKS,
    PUSH_ON_BUST,
    WIN,
    cite,
)
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.citation import Citation, gettext_noop
from rounds.rules.odds import Odds
from rounds.rules.void import DISCONNECTED, MALFUNCTION

# R: the dealer looks under Ace and ten, before the plays.
_AGAINST_BLACKJACK: Final = AgainstBlackjack(
    looked_at=True, plays_allowed=False, doubles_return=False
)

GAME: Final = BlackjackGame(
    decks=6,  # [ZAP] introduction
    boxes=3,  # [ZAP] Istruzioni di gioco
    seating=Seating.ONE_PLAYER,  # [ZAP] Istruzioni di gioco
    always_dealt=False,  # [ZAP] Istruzioni di gioco
    hits_soft_17=True,  # [ZAP] Regole
    under_ace=_AGAINST_BLACKJACK,
    under_ten=_AGAINST_BLACKJACK,
    double_after_split=True,  # [ZAP] Azioni del giocatore, Regole: nothing forbids it
    zaps=frozenset({15, 16, 17, 18}),  # [ZAP] Regole
    most_cards=13,  # [ZAP] Regole
    most_cards_win=False,  # [ZAP] Regole: such a hand only stands
    win_pays=Odds(1, 1),  # [ZAP] Pagamenti
    blackjack_pays=Odds(3, 2),  # [ZAP] Pagamenti
    insurance_pays=Odds(2, 1),  # [ZAP] Pagamenti
    bust_pushes=bust.with_22,  # [ZAP] introduction, Istruzioni di gioco
    multipliers=MappingProxyType({}),
    side_bets=(),
    bonus=None,
    golden_chips=False,
    finishes_off_line=False,
    malfunction=Malfunction.VOIDS,  # [ZAP] Disclaimer
)

ZAPPIT_BLACKJACK_1: Final = rule_set_of(
    GAME,
    name="zappit-blackjack/1",
    title="Zappit Blackjack",
    sheet="ZAP",
    in_force_from=date(2026, 1, 1),
    uses_shoe=False,  # [ZAP] introduction: shuffled anew between rounds
    citations=cite(
        "ZAP",
        {
            WIN: "Pagamenti",
            BLACKJACK: "Pagamenti",
            PUSH: "Push",
            PUSH_OF_BLACKJACKS: "Istruzioni di gioco",
            BUST: "Regole",
            LOSE: "Istruzioni di gioco",
            LOSE_TO_BLACKJACK: "Istruzioni di gioco",
            INSURANCE_WON: "Pagamenti",
            INSURANCE_LOST: "Assicurazione",
            MALFUNCTION: "Disclaimer",
            DISCONNECTED: "FEED: A player who lost the connection",
            WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            LOSE_TO_BLACKJACK: ("zappit-looks",),
            INSURANCE_WON: ("insurance-in-every-hand",),
            INSURANCE_LOST: ("insurance-in-every-hand",),
            MALFUNCTION: ("void-stakes-return",),
            DISCONNECTED: ("gone-before-closing",),
        },
        own={
            PUSH_ON_BUST: Citation(
                "ZAP",
                "Istruzioni di gioco",
                gettext_noop("Dealer bust with 22: push"),
                gettext_noop(
                    "The dealer went bust with exactly 22. Hands that stand push, except"
                    " blackjacks, which win."
                ),
            )
        },
    ),
    ambiguities=(
        "no-decision-stands",
        "gone-after-closing",
        "after-a-zap",
        "zap-of-split-hands",
        "double-after-split",
        "thirteen-cards",
        "greatest-initial-stake",
        "zappit-return-not-reproduced",
    ),
)
