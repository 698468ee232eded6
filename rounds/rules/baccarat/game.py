"""The declaration of live baccarat, by the printed sheet [BAC].

``# [BAC] Heading`` cites the sheet. ``# R:`` marks a reading: the sheet is silent or contradicts
itself there, and ``rounds.rules.ambiguities`` lists the possible readings and the adopted one.
"""

from datetime import date
from functools import partial
from typing import Final

from rounds.rules.baccarat.bets import (
    CoupBet,
    banker_pairs,
    banker_wins,
    either_pairs,
    is_big,
    is_small,
    perfectly_pairs,
    player_pairs,
    player_wins,
    ties,
)
from rounds.rules.baccarat.citations import citations_of
from rounds.rules.baccarat.explained import explain
from rounds.rules.baccarat.findings import coup_findings
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet

BETS: Final = (
    # [BAC] Regole del baccarat. Player and Banker push on a tie.
    CoupBet("player", Odds(1, 1), wins=player_wins, pushes=ties, lost="lost"),
    CoupBet("banker", Odds(19, 20), wins=banker_wins, pushes=ties, lost="lost"),  # less 5 %
    CoupBet("tie", Odds(8, 1), wins=ties, lost="lost"),  # R: "9 for 1", the stake among them
    # [BAC] Puntate aggiuntive. None of them requires another bet.
    CoupBet("player_pair", Odds(11, 1), wins=player_pairs),
    CoupBet("banker_pair", Odds(11, 1), wins=banker_pairs),
    CoupBet("either_pair", Odds(5, 1), wins=either_pairs),
    CoupBet("perfect_pair", Odds(25, 1), wins=perfectly_pairs),  # R: once, even when both pair
    CoupBet("big", Odds(27, 50), wins=is_big),  # 0.54:1
    CoupBet("small", Odds(3, 2), wins=is_small),
)

GAME: Final = BaccaratGame(
    decks=8,  # [BAC] title and Mescolatura delle carte; R: "6 mazzi" in between is a leftover
    bets={bet.kind: bet for bet in BETS},
)

BACCARAT_1: Final = RuleSet(
    name="baccarat/1",
    game="Live Baccarat",
    sheet="BAC",
    decks=GAME.decks,
    boxes=0,
    bet_kinds=tuple(bet.kind for bet in BETS),
    in_force_from=date(2026, 1, 1),
    uses_shoe=True,  # [BAC] Mescolatura delle carte
    citations=citations_of(GAME),
    declaration=GAME,
    judge=GAME.judge,
    explain=partial(explain, GAME),
    find_faults=partial(coup_findings, GAME),
    find_document_fault=lambda _dealt: None,  # bets may repeat, no box has an owner
    ambiguities=("baccarat-decks", "burn-of-a-picture", "gone-after-closing"),
)
