"""Multiplier cards of a round. [QB] Carte moltiplicatrici."""

from collections.abc import Mapping
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.facts import Round
from rounds.rules.odds import Odds

_HOW_MANY: Final = (3, 5)


def multipliers_of(game: BlackjackGame, dealt: Round) -> Mapping[str, Odds] | None:
    """What each multiplier card multiplies by, None where the game has no such set of cards."""
    if not game.multipliers:
        return {}
    cards = dealt.multipliers or ()
    if len(cards) not in _HOW_MANY or any(value not in game.multipliers for _, value in cards):
        return None
    return {card: game.multipliers[value] for card, value in cards}
