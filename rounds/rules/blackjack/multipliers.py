"""Multiplier cards of a round. [QB] Carte moltiplicatrici."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.facts import Round
from rounds.rules.odds import Odds

Multipliers = Mapping[str, Odds]
"""What each multiplier card of the round multiplies by."""

HOW_MANY: Final = (3, 5)
"""A round has so many multiplier cards."""


def multipliers_of(game: BlackjackGame, dealt: Round) -> Multipliers | None:
    """What each multiplier card multiplies by, None where the game has no such set of cards."""
    if not game.multipliers:
        return {}
    cards = dealt.multipliers or ()
    if len(cards) not in HOW_MANY or any(value not in game.multipliers for _, value in cards):
        return None
    return {card: game.multipliers[value] for card, value in cards}


def factor_of(cards: Iterable[str], multipliers: Multipliers) -> Odds | None:
    """The sum of the different multiplier cards among these, None where there is none.

    A card counts once however many copies of it there are.
    """
    held = multipliers.keys() & set(cards)
    return reduce(Odds.plus, [multipliers[card] for card in held]) if held else None
