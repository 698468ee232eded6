"""The declaration of Zappit Blackjack, by the printed sheet [ZAP].

``# [ZAP]`` cites a heading; ``# R:`` marks a reading (``rounds.rules.blackjack.declaration``).
"""

from datetime import date
from types import MappingProxyType
from typing import Final

from rounds.rules import void
from rounds.rules.blackjack import bets, bust, reasons
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame, Malfunction, Seating
from rounds.rules.blackjack.reasons import cite
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.odds import Odds

# R: the dealer peeks under Ace and ten, before the plays.
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
            reasons.WIN: "Pagamenti",
            reasons.BLACKJACK: "Pagamenti",
            reasons.PUSH: "Push",
            reasons.PUSH_ON_BUST: "Istruzioni di gioco",
            reasons.PUSH_OF_BLACKJACKS: "Istruzioni di gioco",
            reasons.BUST: "Regole",
            reasons.LOSE: "Istruzioni di gioco",
            reasons.LOSE_TO_BLACKJACK: "Istruzioni di gioco",
            reasons.INSURANCE_WON: "Pagamenti",
            reasons.INSURANCE_LOST: "Assicurazione",
            void.MALFUNCTION: "Disclaimer",
            void.DISCONNECTED: "FEED: A player who lost the connection",
            bets.WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            reasons.LOSE_TO_BLACKJACK: ("zappit-looks",),
            reasons.INSURANCE_WON: ("insurance-in-every-hand",),
            reasons.INSURANCE_LOST: ("insurance-in-every-hand",),
            void.MALFUNCTION: ("void-stakes-return",),
            void.DISCONNECTED: ("gone-before-closing",),
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
