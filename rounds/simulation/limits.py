"""The stake limits of the demo tables, which simulated customers respect."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

Limit = tuple[int, int]
"""The minimum and maximum stake of one bet in cents, inclusive."""

_MAIN: Final = (10, 1_000_00)  # [BJ] Puntare: 0.10 to 1,000
_HALF_MAIN: Final = (5, 500_00)
_SIDE: Final = (10, 100_00)
_ZAPPIT_MAIN: Final = (10, 100_00)  # [ZAP] Disclaimer: 100.00 a hand at most

DEMO_LIMITS: Final[Mapping[str, Mapping[str, Limit]]] = MappingProxyType(
    {
        "blackjack/1": {
            "main": _MAIN,
            "insurance": _HALF_MAIN,
            "perfect_pairs": _SIDE,
            "21+3": _SIDE,
        },
        "mega-fire-blaze-blackjack/1": {
            "main": _MAIN,
            "insurance": _HALF_MAIN,
            "player_pair": _SIDE,
            "dealer_pair": _SIDE,
            "21+3": _SIDE,
            "mega_fire_blaze": _SIDE,
        },
        "quantum-blackjack/1": {
            "main": _MAIN,
            "insurance": _HALF_MAIN,
            "player_pair": _SIDE,
            "21+3": _SIDE,
        },
        "baccarat/1": {
            "player": _MAIN,
            "banker": _MAIN,
            "tie": (10, 200_00),
            "player_pair": _SIDE,
            "banker_pair": _SIDE,
            "either_pair": _SIDE,
            "perfect_pair": _SIDE,
            "big": _MAIN,
            "small": _MAIN,
        },
        "zappit-blackjack/1": {
            "main": _ZAPPIT_MAIN,
            "insurance": (5, 50_00),
        },
    }
)
"""By rule set and bet kind. An insurance is half of a main stake, rounded down to the cent."""
