"""Ordinary blackjacks, declared as the released games are, for figures that others published."""

from dataclasses import replace
from typing import Final

from rounds.rules.blackjack.declaration import AgainstBlackjack
from rounds.rules.blackjack.games.live_blackjack import GAME

_LOOKS: Final = AgainstBlackjack(looked_at=True, plays_allowed=False, doubles_return=False)
_LOSES_ALL: Final = AgainstBlackjack(looked_at=False, plays_allowed=True, doubles_return=False)

LOOKS: Final = replace(GAME, under_ace=_LOOKS, under_ten=_LOOKS)
"""Eight decks, stands on soft 17, looks under Ace and ten, no double after a split."""
LOOKS_UNDER_ACES: Final = replace(LOOKS, under_ten=_LOSES_ALL)
NEVER_LOOKS: Final = replace(LOOKS, under_ace=_LOSES_ALL, under_ten=_LOSES_ALL)

LOOKS_DAS: Final = replace(LOOKS, double_after_split=True)
LOOKS_UNDER_ACES_DAS: Final = replace(LOOKS_UNDER_ACES, double_after_split=True)
NEVER_LOOKS_DAS: Final = replace(NEVER_LOOKS, double_after_split=True)
SIX_DECKS_H17_DAS: Final = replace(LOOKS_DAS, decks=6, hits_soft_17=True)
