"""Live blackjack with seven seats: the sheet [BJ] in one hand, this page in the other."""

from datetime import date
from types import MappingProxyType
from typing import Final

from rounds.rules.blackjack import bust
from rounds.rules.blackjack.bets import ON_OWN_BOX, WITHOUT_MAIN, WITHOUT_OWNER
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
    WIN,
    cite,
)
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY, THREE_CARDS_PAY
from rounds.rules.blackjack.side_bets import (
    NO_COMBINATION,
    NO_PAIR,
    PERFECT_PAIR,
    SideBet,
    box_and_upcard,
    box_pair,
)
from rounds.rules.odds import Odds
from rounds.rules.void import DISCONNECTED, MALFUNCTION

GAME: Final = BlackjackGame(
    decks=8,  # [BJ] Obiettivo del gioco
    boxes=7,  # [BJ] Regole del gioco
    seating=Seating.OWNED,  # [BJ] Puntata alle Spalle
    always_dealt=False,  # [BJ] Regole del gioco: only who takes part is dealt to
    hits_soft_17=False,  # [BJ] Risultato
    under_ace=AgainstBlackjack(  # [BJ] Assicurazione: he looks, and the round ends there
        looked_at=True, plays_allowed=False, doubles_return=False
    ),
    under_ten=AgainstBlackjack(  # [BJ] Assicurazione: he does not look; R: everything is lost
        looked_at=False, plays_allowed=True, doubles_return=False
    ),
    double_after_split=False,  # [BJ] Obiettivo del gioco
    zaps=frozenset(),
    most_cards=None,
    most_cards_win=False,
    win_pays=Odds(1, 1),  # [BJ] Vincite
    blackjack_pays=Odds(3, 2),  # [BJ] Vincite
    insurance_pays=Odds(2, 1),  # [BJ] Vincite
    bust_pushes=bust.never,  # [BJ] Risultato
    multipliers=MappingProxyType({}),
    side_bets=(
        SideBet("perfect_pairs", box_pair, PAIRS_PAY),  # [BJ] Coppie Perfette
        SideBet("21+3", box_and_upcard, THREE_CARDS_PAY),  # [BJ] 21+3
    ),
    bonus=None,
    golden_chips=False,
    finishes_off_line=False,  # [BJ] Politica sulle Disconnessioni
    malfunction=Malfunction.VOIDS,  # [BJ] Gestione degli errori; R: raises and insurance too
)

BLACKJACK_1: Final = rule_set_of(
    GAME,
    name="blackjack/1",
    title="Blackjack",
    sheet="BJ",
    in_force_from=date(2026, 1, 1),
    uses_shoe=True,  # [BJ] Mescolare le carte
    citations=cite(
        "BJ",
        {
            WIN: "Vincite",
            BLACKJACK: "Vincite",
            PUSH: "Risultato",
            PUSH_OF_BLACKJACKS: "Assicurazione",
            BUST: "Risultato",
            LOSE: "Risultato",
            LOSE_TO_BLACKJACK: "Assicurazione",
            INSURANCE_WON: "Vincite",
            INSURANCE_LOST: "Assicurazione",
            **dict.fromkeys(PAIRS_PAY, "Vincite, Coppie Perfette"),
            NO_PAIR: "Coppie Perfette",
            **dict.fromkeys(THREE_CARDS_PAY, "Vincite, 21+3"),
            NO_COMBINATION: "21+3",
            DISCONNECTED: "Politica sulle Disconnessioni",
            MALFUNCTION: "Gestione degli errori",
            WITHOUT_OWNER: "Puntata alle Spalle (Bet Behind)",
            ON_OWN_BOX: "Puntata alle Spalle (Bet Behind)",
            WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            LOSE_TO_BLACKJACK: ("look-under-ten", "all-lost-to-ten-up-blackjack"),
            PERFECT_PAIR: ("perfect-pair-without-name",),
            MALFUNCTION: ("cancelled-round-refund", "void-stakes-return"),
            WITHOUT_OWNER: ("behind-void-owner",),
            ON_OWN_BOX: ("behind-own-hand",),
            WITHOUT_MAIN: ("behind-side-bets",),
        },
    ),
    ambiguities=(
        "twenty-one-stands",
        "behind-side-bets",
        "behind-not-following",
        "absent-player-stands",
    ),
)
