"""The register of ambiguities by key, in display order."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.baccarat import BACCARAT
from rounds.rules.ambiguities.fire_blaze_bonus import FIRE_BLAZE_BONUS
from rounds.rules.ambiguities.fire_blaze_points import FIRE_BLAZE_POINTS
from rounds.rules.ambiguities.golden_chips import GOLDEN_CHIPS
from rounds.rules.ambiguities.hands import HANDS
from rounds.rules.ambiguities.live_blackjack import LIVE_BLACKJACK
from rounds.rules.ambiguities.mega_fire_blaze import MEGA_FIRE_BLAZE
from rounds.rules.ambiguities.pairs_and_three_cards import PAIRS_AND_THREE_CARDS
from rounds.rules.ambiguities.quantum import QUANTUM
from rounds.rules.ambiguities.void_bets import VOID_BETS
from rounds.rules.ambiguities.zappit import ZAPPIT

REGISTER: Final[Mapping[str, Ambiguity]] = MappingProxyType(
    {
        entry.key: entry
        for entry in (
            *HANDS,
            *PAIRS_AND_THREE_CARDS,
            *VOID_BETS,
            *GOLDEN_CHIPS,
            *LIVE_BLACKJACK,
            *MEGA_FIRE_BLAZE,
            *FIRE_BLAZE_POINTS,
            *FIRE_BLAZE_BONUS,
            *QUANTUM,
            *BACCARAT,
            *ZAPPIT,
        )
    }
)
