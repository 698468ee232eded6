"""Versions of the games with other figures and the released texts."""

import re
from dataclasses import replace
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Final

from rounds.rules.baccarat.citations import citations_of
from rounds.rules.baccarat.coup import Coup
from rounds.rules.baccarat.explained import explain
from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.baccarat.game import GAME as BACCARAT_GAME
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack import bust
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games import live_blackjack, mega_fire_blaze, quantum
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY
from rounds.rules.blackjack.side_bets import SideBet, box_pair, dealer_pair
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet

ODDS: Final = re.compile(r"\d+(?:[.,]\d+)?:\d+")


def toy_of(released: RuleSet, game: BlackjackGame) -> RuleSet:
    """A version with another declaration and the released citations."""
    return rule_set_of(
        game,
        name=f"toy-{released.name}",
        title="Toy",
        sheet=released.sheet,
        in_force_from=date(2027, 1, 1),
        uses_shoe=True,
        citations=released.citations,
        ambiguities=(),
    )


def ends_level(coup: Coup) -> bool:
    """A winning condition without a sentence of its own."""
    return coup.player_points == coup.banker_points


SIX_TO_FIVE: Final = toy_of(
    RULE_SETS["blackjack/1"],
    replace(
        live_blackjack.GAME,
        win_pays=Odds(2, 1),
        blackjack_pays=Odds(6, 5),
        insurance_pays=Odds(5, 2),
        side_bets=tuple(
            side_bet._replace(
                pays={name: odds.plus(Odds(1, 1)) for name, odds in side_bet.pays.items()}
            )
            for side_bet in live_blackjack.GAME.side_bets
        ),
    ),
)
SEVEN_CARDS: Final = toy_of(
    RULE_SETS["mega-fire-blaze-blackjack/1"],
    replace(
        mega_fire_blaze.GAME,
        most_cards=7,
        side_bets=(
            *(side_bet for side_bet in mega_fire_blaze.GAME.side_bets if side_bet.kind == "21+3"),
            SideBet("player_pair", box_pair, PAIRS_PAY),
            SideBet(
                "dealer_pair",
                dealer_pair,
                {name: Odds(8, 1) for name in PAIRS_PAY},
            ),
        ),
    ),
)
BUST_OF_22: Final = toy_of(
    RULE_SETS["quantum-blackjack/1"],
    replace(quantum.GAME, blackjack_pays=Odds(2, 1), bust_pushes=bust.with_22),
)


def baccarat_toy(name: str, **pays: Odds) -> RuleSet:
    """Baccarat at other odds."""
    bets = {
        kind: declared_bet._replace(pays=pays.get(kind, declared_bet.pays))
        for kind, declared_bet in BACCARAT_GAME.bets.items()
    }
    game = BaccaratGame(decks=8, bets=MappingProxyType(bets))
    return replace(
        BACCARAT_1,
        name=name,
        declaration=game,
        citations=citations_of(game),
        judge=game.judge,
        explain=partial(explain, game),
    )


FOUR_PER_CENT: Final = baccarat_toy(
    "toy-baccarat/1", banker=Odds(24, 25), tie=Odds(9, 1), small=Odds(8, 5), big=Odds(1, 2)
)
NO_COMMISSION: Final = baccarat_toy("toy-baccarat/2", banker=Odds(1, 1))
TOYS: Final = (SIX_TO_FIVE, SEVEN_CARDS, BUST_OF_22, FOUR_PER_CENT, NO_COMMISSION)
