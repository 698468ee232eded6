"""Mega Fire Blaze Blackjack: the sheet [MFB] in one hand, this page in the other."""

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
from rounds.rules.blackjack.fire_blaze import FireBlaze, Level, Points
from rounds.rules.blackjack.reasons import (
    BLACKJACK,
    BONUS_NOT_PLAYED,
    BONUS_NOT_REACHED,
    BONUS_WON,
    BUST,
    CHARLIE,
    DOUBLE_RETURNED,
    GOLDEN_CHIP,
    INSURANCE_LOST,
    INSURANCE_WON,
    LOSE,
    LOSE_TO_BLACKJACK,
    PUSH,
    PUSH_OF_BLACKJACKS,
    WIN,
    cite,
)
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY, THREE_CARDS_PAY
from rounds.rules.blackjack.side_bets import (
    NO_COMBINATION,
    NO_PAIR,
    SideBet,
    box_and_upcard,
    box_pair,
    dealer_pair,
)
from rounds.rules.odds import Odds
from rounds.rules.void import DISCONNECTED, MALFUNCTION

FIRE_BLAZE: Final = FireBlaze(
    # [MFB] Progressi di Fire Blaze. R: rows add up; the 14 is the boxes', a soft one counts.
    Points(boxes=(2, 4), aces=(2, 6), cards=MappingProxyType({4: 1, 5: 7, 6: 12})),
    # [MFB] Livello del bonus: points. Mega Fire Blaze Bonus: sections, cells, boosts, stars.
    # Premi della partita: the least and the most that is paid, the stake (one more) included.
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
    always_dealt=True,  # [MFB] Funzionamento del gioco: six cards, whoever bets
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
        SideBet("21+3", box_and_upcard, THREE_CARDS_PAY),  # [MFB] Puntate collaterali
        SideBet("player_pair", box_pair, PAIRS_PAY),  # [MFB] Puntate collaterali
        SideBet("dealer_pair", dealer_pair, PAIRS_PAY),  # R: named among the returns
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
            WIN: "Table dei pagamenti",
            BLACKJACK: "Table dei pagamenti",
            CHARLIE: "Charlie 10 Carte",
            PUSH: "Regole di gioco del Blackjack",
            PUSH_OF_BLACKJACKS: "Regole di gioco del Blackjack",
            BUST: "Regole di gioco del Blackjack",
            LOSE: "Regole di gioco del Blackjack",
            LOSE_TO_BLACKJACK: "Raddoppia",
            DOUBLE_RETURNED: "Raddoppia",
            GOLDEN_CHIP: "Assicurazione",
            INSURANCE_WON: "Table dei pagamenti",
            INSURANCE_LOST: "Assicurazione",
            **dict.fromkeys(PAIRS_PAY, "Table dei pagamenti"),
            NO_PAIR: "Puntate collaterali",
            **dict.fromkeys(THREE_CARDS_PAY, "Table dei pagamenti"),
            NO_COMBINATION: "Puntate collaterali",
            BONUS_WON: "Premi della partita del Mega Fire Blaze Bonus",
            BONUS_NOT_REACHED: "Progressi di Fire Blaze",
            BONUS_NOT_PLAYED: "Gestione degli errori",
            MALFUNCTION: "Gestione degli errori",
            DISCONNECTED: "FEED: A player who lost the connection",
            WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            BLACKJACK: ("blackjack-of-ten",),
            PUSH_OF_BLACKJACKS: ("blackjack-of-ten",),
            CHARLIE: ("charlie-pays", "charlie-after-split"),
            LOSE_TO_BLACKJACK: ("double-against-ace", "split-lost-double-returned"),
            DOUBLE_RETURNED: ("split-lost-double-returned",),
            GOLDEN_CHIP: ("golden-bonus-bet",),
            **dict.fromkeys((*PAIRS_PAY, NO_PAIR), ("pairs-of-box-and-dealer",)),
            BONUS_WON: (
                *_POINTS_REST_ON,
                "bonus-specials",
                "bonus-prize-with-stake",
                "bonus-prize-bounds",
                "golden-bonus-bet",
            ),
            BONUS_NOT_REACHED: (
                *_POINTS_REST_ON,
                "malfunction-and-the-bonus-bet",
            ),
            BONUS_NOT_PLAYED: ("malfunction-and-the-bonus-bet",),
            MALFUNCTION: ("malfunction-with-complete-cards",),
            DISCONNECTED: ("gone-before-closing",),
            WITHOUT_MAIN: ("bonus-bet-on-its-box",),
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
