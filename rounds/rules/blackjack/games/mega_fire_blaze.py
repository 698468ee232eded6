"""The declaration of Mega Fire Blaze Blackjack, by the printed sheet [MFB].

``# [MFB]`` cites a heading; ``# R:`` marks a reading (``rounds.rules.blackjack.declaration``).
"""

from datetime import date
from types import MappingProxyType
from typing import Final

from rounds.rules import void
from rounds.rules.blackjack import bets, bust, reasons, side_bets
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame, Malfunction, Seating
from rounds.rules.blackjack.fire_blaze import FireBlaze, Level, Points
from rounds.rules.blackjack.reasons import cite
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY, THREE_CARDS_PAY
from rounds.rules.blackjack.side_bets import SideBet
from rounds.rules.odds import Odds

FIRE_BLAZE: Final = FireBlaze(
    # [MFB] Progressi di Fire Blaze. R: rows add up; the 14 is the boxes', a soft 14 counts.
    Points(boxes=(2, 4), aces=(2, 6), cards=MappingProxyType({4: 1, 5: 7, 6: 12})),
    # [MFB] Livello del bonus: points. Mega Fire Blaze Bonus: sections, cells, boosts, stars.
    # Premi della partita: minimum and maximum payout, including the stake (one more).
    MappingProxyType(
        {
            "minor": Level(
                points=5,
                sections=1,
                cells=frozenset({"1", "2"}),
                boosts=frozenset({"2"}),
                stars=frozenset(),
                least=2,
                most=24,
            ),
            "mini": Level(
                points=10,
                sections=2,
                cells=frozenset({"1", "2", "5"}),
                boosts=frozenset({"2"}),
                stars=frozenset({"10", "20"}),
                least=3,
                most=120,
            ),
            "major": Level(
                points=15,
                sections=3,
                cells=frozenset({"1", "2", "5", "10"}),
                boosts=frozenset({"2", "3"}),
                stars=frozenset({"10", "20", "50"}),
                least=6,
                most=400,
            ),
            "grand": Level(
                points=20,
                sections=4,
                cells=frozenset({"1", "2", "3", "5", "10"}),
                boosts=frozenset({"2", "3"}),
                stars=frozenset({"10", "20", "50", "100"}),
                least=10,
                most=700,
            ),
            "mega": Level(
                points=25,
                sections=6,
                cells=frozenset({"1", "2", "3", "4", "5", "10"}),
                boosts=frozenset({"2", "3"}),
                stars=frozenset({"10", "20", "50", "100"}),
                least=20,
                most=1000,
            ),
        }
    ),
)

GAME: Final = BlackjackGame(
    decks=8,  # [MFB] introduction and Mescolatura delle carte
    boxes=2,  # [MFB] introduction
    seating=Seating.SHARED,  # [MFB] introduction and Regole di gioco del Blackjack
    always_dealt=True,  # [MFB] Funzionamento del gioco: six cards, with or without bets
    hits_soft_17=False,  # [MFB] Regole di gioco del Blackjack
    under_ace=AgainstBlackjack(  # [MFB] Assicurazione, Raddoppia; R: late plays lose everything
        looked_at=True, plays_allowed=True, doubles_return=False
    ),
    under_ten=AgainstBlackjack(  # [MFB] Raddoppia; R: a split's raise is lost
        looked_at=False, plays_allowed=True, doubles_return=True
    ),
    double_after_split=True,  # [MFB] Raddoppia
    zaps=frozenset(),
    most_cards=10,  # [MFB] Charlie 10 Carte
    most_cards_win=True,  # [MFB] Charlie 10 Carte
    win_pays=Odds(1, 1),  # [MFB] Table dei pagamenti
    blackjack_pays=Odds(3, 2),  # [MFB] Table dei pagamenti
    insurance_pays=Odds(2, 1),  # [MFB] Table dei pagamenti
    bust_pushes=bust.never,
    multipliers=MappingProxyType({}),
    side_bets=(
        SideBet("21+3", side_bets.box_and_upcard, THREE_CARDS_PAY),  # [MFB] Puntate collaterali
        SideBet("player_pair", side_bets.box_pair, PAIRS_PAY),  # [MFB] Puntate collaterali
        SideBet("dealer_pair", side_bets.dealer_pair, PAIRS_PAY),  # R: named among the returns
    ),
    bonus=FIRE_BLAZE,
    golden_chips=True,  # [MFB] Assicurazione; R: what a golden chip pays
    finishes_off_line=True,  # [MFB] Assicurazione
    malfunction=Malfunction.VOIDS_INCOMPLETE,  # [MFB] Gestione degli errori
)

_POINTS_REST_ON: Final = (
    "fire-blaze-rows-add-up",
    "fire-blaze-fourteen",
    "fire-blaze-soft-fourteen",
    "fire-blaze-beyond-the-table",
    "fire-blaze-for-everyone",
    "dealer-draw-optional",
)

MEGA_FIRE_BLAZE_BLACKJACK_1: Final = rule_set_of(
    GAME,
    name="mega-fire-blaze-blackjack/1",
    title="Mega Fire Blaze Blackjack Live",
    sheet="MFB",
    in_force_from=date(2026, 1, 1),
    uses_shoe=True,  # [MFB] Mescolatura delle carte
    citations=cite(
        "MFB",
        {
            reasons.WIN: "Table dei pagamenti",
            reasons.BLACKJACK: "Table dei pagamenti",
            reasons.CHARLIE: "Charlie 10 Carte",
            reasons.PUSH: "Regole di gioco del Blackjack",
            reasons.PUSH_OF_BLACKJACKS: "Regole di gioco del Blackjack",
            reasons.BUST: "Regole di gioco del Blackjack",
            reasons.LOSE: "Regole di gioco del Blackjack",
            reasons.LOSE_TO_BLACKJACK: "Raddoppia",
            reasons.DOUBLE_RETURNED: "Raddoppia",
            reasons.GOLDEN_CHIP: "Assicurazione",
            reasons.INSURANCE_WON: "Table dei pagamenti",
            reasons.INSURANCE_LOST: "Assicurazione",
            **dict.fromkeys(PAIRS_PAY, "Table dei pagamenti"),
            side_bets.NO_PAIR: "Puntate collaterali",
            **dict.fromkeys(THREE_CARDS_PAY, "Table dei pagamenti"),
            side_bets.NO_COMBINATION: "Puntate collaterali",
            reasons.BONUS_WON: "Premi della partita del Mega Fire Blaze Bonus",
            reasons.BONUS_NOT_REACHED: "Progressi di Fire Blaze",
            reasons.BONUS_NOT_PLAYED: "Gestione degli errori",
            void.MALFUNCTION: "Gestione degli errori",
            void.DISCONNECTED: "FEED: A player who lost the connection",
            bets.WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            reasons.BLACKJACK: ("blackjack-of-ten",),
            reasons.PUSH_OF_BLACKJACKS: ("blackjack-of-ten",),
            reasons.CHARLIE: ("charlie-pays", "charlie-after-split"),
            reasons.LOSE_TO_BLACKJACK: ("double-against-ace", "split-lost-double-returned"),
            reasons.DOUBLE_RETURNED: ("split-lost-double-returned",),
            reasons.GOLDEN_CHIP: ("golden-bonus-bet",),
            **dict.fromkeys((*PAIRS_PAY, side_bets.NO_PAIR), ("pairs-of-box-and-dealer",)),
            reasons.BONUS_WON: (
                *_POINTS_REST_ON,
                "bonus-specials",
                "bonus-prize-with-stake",
                "bonus-prize-bounds",
                "golden-bonus-bet",
            ),
            reasons.BONUS_NOT_REACHED: (
                *_POINTS_REST_ON,
                "malfunction-and-the-bonus-bet",
            ),
            reasons.BONUS_NOT_PLAYED: ("malfunction-and-the-bonus-bet",),
            void.MALFUNCTION: ("malfunction-with-complete-cards",),
            void.DISCONNECTED: ("gone-before-closing",),
            bets.WITHOUT_MAIN: ("bonus-bet-on-its-box",),
        },
    ),
    ambiguities=(
        "twenty-one-stands",
        "dealing-style",
        "insurance-of-all-boxes",
        "golden-chip-insurance",
        "off-line-hand",
        "off-line-cards",
        "bonus-bet-on-its-box",
        "bonus-of-another-level",
        "return-per-unit-staked",
        "bonus-weights-unknown",
    ),
)
