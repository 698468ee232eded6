"""The declaration of live blackjack with seven seats, by the printed sheet [BJ].

``# [BJ]`` cites a heading; ``# R:`` marks a reading (``rounds.rules.blackjack.declaration``).
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

GAME: Final = BlackjackGame(
    decks=8,  # [BJ] Obiettivo del gioco
    boxes=7,  # [BJ] Regole del gioco
    seating=Seating.OWNED,  # [BJ] Puntata alle Spalle
    always_dealt=False,  # [BJ] Regole del gioco: only boxes with a bet are dealt
    hits_soft_17=False,  # [BJ] Risultato
    under_ace=AgainstBlackjack(  # [BJ] Assicurazione: the dealer peeks, and the round ends there
        looked_at=True, plays_allowed=False, doubles_return=False
    ),
    under_ten=AgainstBlackjack(  # [BJ] Assicurazione: no peek; R: everything is lost
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
        SideBet("perfect_pairs", side_bets.box_pair, PAIRS_PAY),  # [BJ] Coppie Perfette
        SideBet("21+3", side_bets.box_and_upcard, THREE_CARDS_PAY),  # [BJ] 21+3
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
            reasons.WIN: "Vincite",
            reasons.BLACKJACK: "Vincite",
            reasons.PUSH: "Risultato",
            reasons.PUSH_OF_BLACKJACKS: "Assicurazione",
            reasons.BUST: "Risultato",
            reasons.LOSE: "Risultato",
            reasons.LOSE_TO_BLACKJACK: "Assicurazione",
            reasons.INSURANCE_WON: "Vincite",
            reasons.INSURANCE_LOST: "Assicurazione",
            **dict.fromkeys(PAIRS_PAY, "Vincite, Coppie Perfette"),
            side_bets.NO_PAIR: "Coppie Perfette",
            **dict.fromkeys(THREE_CARDS_PAY, "Vincite, 21+3"),
            side_bets.NO_COMBINATION: "21+3",
            void.DISCONNECTED: "Politica sulle Disconnessioni",
            void.MALFUNCTION: "Gestione degli errori",
            bets.WITHOUT_OWNER: "Puntata alle Spalle (Bet Behind)",
            bets.ON_OWN_BOX: "Puntata alle Spalle (Bet Behind)",
            bets.WITHOUT_MAIN: "FEED: Void bets",
        },
        rests_on={
            reasons.LOSE_TO_BLACKJACK: ("look-under-ten", "all-lost-to-ten-up-blackjack"),
            side_bets.PERFECT_PAIR: ("perfect-pair-without-name",),
            void.MALFUNCTION: ("cancelled-round-refund", "void-stakes-return"),
            bets.WITHOUT_OWNER: ("behind-void-owner",),
            bets.ON_OWN_BOX: ("behind-own-hand",),
            bets.WITHOUT_MAIN: ("behind-side-bets",),
        },
    ),
    ambiguities=(
        "twenty-one-stands",
        "behind-side-bets",
        "behind-not-following",
        "absent-player-stands",
    ),
)
