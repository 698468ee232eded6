"""The declaration of Quantum Blackjack+, by the printed sheet [QB].

``# [QB]`` cites a heading; ``# R:`` marks a reading (``rounds.rules.blackjack.declaration``).
"""

from datetime import date
from types import MappingProxyType
from typing import Final

from rounds.rules import void
from rounds.rules.blackjack import bets, bust, reasons, side_bets
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame, Malfunction, Seating
from rounds.rules.blackjack.reasons import cite
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY, THREE_CARDS_PAY
from rounds.rules.blackjack.side_bets import SideBet
from rounds.rules.odds import Odds

# R: the dealer peeks under both; doubles of plays in the feed are returned nevertheless.
_AGAINST_BLACKJACK: Final = AgainstBlackjack(
    looked_at=True, plays_allowed=True, doubles_return=True
)

GAME: Final = BlackjackGame(
    decks=6,  # [QB] introduction and Mescolatura delle carte
    boxes=7,  # the sheet is silent; the feed has boxes 1 to 7
    seating=Seating.SHARED,  # [QB] Regole di gioco
    always_dealt=False,
    hits_soft_17=True,  # [QB] Regole di gioco; R: the paragraph on drawing is the specific one
    under_ace=_AGAINST_BLACKJACK,  # [QB] Assicurazione
    under_ten=_AGAINST_BLACKJACK,  # [QB] Regole di gioco, Raddoppia
    double_after_split=True,  # [QB] Raddoppia
    zaps=frozenset(),
    most_cards=None,
    most_cards_win=False,
    win_pays=Odds(1, 1),  # [QB] Regole di gioco
    blackjack_pays=Odds(3, 2),  # [QB] Regole di gioco
    insurance_pays=Odds(2, 1),  # [QB] Assicurazione
    bust_pushes=bust.with_three_cards,  # [QB] Push e mani sballate
    multipliers=MappingProxyType(  # [QB] Carte moltiplicatrici
        {"2.5": Odds(5, 2), "3": Odds(3, 1), "5": Odds(5, 1), "10": Odds(10, 1)}
    ),
    side_bets=(
        SideBet("player_pair", side_bets.box_pair, PAIRS_PAY),  # [QB] Coppie
        SideBet("21+3", side_bets.box_and_upcard, THREE_CARDS_PAY),  # [QB] 21+3
    ),
    bonus=None,
    golden_chips=True,  # R: the supplier of [MFB], which mentions them
    finishes_off_line=True,  # [QB] Nota sulle disconnessioni
    malfunction=Malfunction.VOIDS,  # [QB] Nota sui malfunzionamenti
)

QUANTUM_BLACKJACK_1: Final = rule_set_of(
    GAME,
    name="quantum-blackjack/1",
    title="Quantum Blackjack+ Live",
    sheet="QB",
    in_force_from=date(2026, 1, 1),
    uses_shoe=True,  # [QB] Mescolatura delle carte
    citations=cite(
        "QB",
        {
            reasons.WIN: "Regole di gioco",
            reasons.BLACKJACK: "Regole di gioco",
            reasons.MULTIPLIED_WIN: "Carte moltiplicatrici",
            reasons.MULTIPLIED_BLACKJACK: "Carte moltiplicatrici, Blackjack",
            reasons.PUSH: "Regole di gioco",
            reasons.PUSH_ON_BUST: "Push e mani sballate",
            reasons.PUSH_OF_BLACKJACKS: "Regole di gioco",
            reasons.BUST: "Push e mani sballate",
            reasons.LOSE: "Regole di gioco",
            reasons.LOSE_TO_BLACKJACK: "Regole di gioco",
            reasons.DOUBLE_RETURNED: "Raddoppia",
            reasons.GOLDEN_CHIP: "FEED: Golden chips",
            reasons.INSURANCE_WON: "Assicurazione",
            reasons.INSURANCE_LOST: "Assicurazione",
            **dict.fromkeys(PAIRS_PAY, "Tabella dei pagamenti"),
            side_bets.NO_PAIR: "Coppie",
            **dict.fromkeys(THREE_CARDS_PAY, "Tabella dei pagamenti"),
            side_bets.NO_COMBINATION: "21+3",
            void.MALFUNCTION: "Nota sui malfunzionamenti",
            void.DISCONNECTED: "FEED: A player who lost the connection",
            bets.WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            reasons.MULTIPLIED_WIN: (
                "multiplier-sum",
                "multiplied-payout",
                "multiplied-double",
                "three-card-bust",
                "golden-multiplied-win",
            ),
            reasons.MULTIPLIED_BLACKJACK: (
                "multiplier-sum",
                "multiplied-payout",
                "three-card-bust",
                "golden-multiplied-win",
            ),
            reasons.PUSH_ON_BUST: ("three-card-bust",),
            reasons.LOSE_TO_BLACKJACK: ("looks-under-a-ten",),
            reasons.DOUBLE_RETURNED: ("looks-under-a-ten",),
            reasons.GOLDEN_CHIP: ("golden-at-quantum", "golden-multiplied-win"),
            **dict.fromkeys((*PAIRS_PAY, side_bets.NO_PAIR), ("lost-pay-tables",)),
            **dict.fromkeys((*THREE_CARDS_PAY, side_bets.NO_COMBINATION), ("lost-pay-tables",)),
            void.MALFUNCTION: ("void-stakes-return",),
            void.DISCONNECTED: ("gone-before-closing",),
        },
    ),
    ambiguities=(
        "twenty-one-stands",
        "no-decision-stands",
        "soft-seventeen",
        "quantum-boxes",
        "golden-chip-insurance",
        "off-line-hand",
        "off-line-cards",
        "multiplier-frequencies-unknown",
    ),
)
