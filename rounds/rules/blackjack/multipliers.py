"""Multiplier cards. [QB] Carte moltiplicatrici."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.facts import Round
from rounds.rules.odds import Odds

Multipliers = Mapping[str, Odds]
"""The multiplier of each multiplier card of the round."""

HOW_MANY: Final = (3, 5)
"""The possible numbers of multiplier cards of a round."""


def multipliers_of(game: BlackjackGame, dealt: Round) -> Multipliers | None:
    """The multipliers of a round, None if they are not possible at the game."""
    if not game.multipliers:
        return {}
    cards = dealt.multipliers or ()
    if len(cards) not in HOW_MANY or any(value not in game.multipliers for _, value in cards):
        return None
    return {card: game.multipliers[value] for card, value in cards}


def factor_of(cards: Iterable[str], multipliers: Multipliers) -> Odds | None:
    """The sum of the multipliers of these cards, copies counted once; None without any."""
    held = multipliers.keys() & set(cards)
    return reduce(Odds.plus, [multipliers[card] for card in held]) if held else None
