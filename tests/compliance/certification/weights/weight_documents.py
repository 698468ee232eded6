"""Example weights for tests, as values and as documents."""

from typing import Any, Final

from compliance.certification.returns.bonus_grid import GridWeights
from compliance.certification.returns.multiplier_weights import MultiplierWeights

_LOW, _HIGH = {"2.5": 50, "3": 30, "5": 15, "10": 5}, {"2.5": 70, "3": 20, "5": 8, "10": 2}
MULTIPLIER_WEIGHTS: Final = MultiplierWeights(rounds={3: 2, 5: 1}, values={3: _LOW, 5: _HIGH})
MULTIPLIER_DOCUMENT: Final[dict[str, Any]] = {
    "format": "sabot-weights/1",
    "rules": "quantum-blackjack/1",
    "multiplier_cards": {
        "3": {"weight": 2, "values": _LOW},
        "5": {"weight": 1, "values": _HIGH},
    },
}

_GRIDS: Final[dict[str, dict[str, Any]]] = {
    "minor": {"cells": {"1": 3, "2": 1}, "boosts": {"2": 1}, "stars": {}},
    "mini": {"cells": {"1": 6, "2": 3, "5": 1}, "boosts": {"2": 3}, "stars": {"10": 2, "20": 1}},
    "major": {
        "cells": {"1": 4, "2": 3, "5": 2, "10": 1},
        "boosts": {"2": 3, "3": 1},
        "stars": {"10": 3, "20": 2, "50": 1},
    },
    "grand": {
        "cells": {"1": 4, "2": 3, "3": 3, "5": 2, "10": 1},
        "boosts": {"2": 3, "3": 1},
        "stars": {"10": 4, "20": 3, "50": 2, "100": 1},
    },
    "mega": {
        "cells": {"1": 4, "2": 3, "3": 3, "4": 2, "5": 2, "10": 1},
        "boosts": {"2": 3, "3": 1},
        "stars": {"10": 4, "20": 3, "50": 2, "100": 1},
    },
}
_CHANCES: Final[dict[str, Any]] = {"fills": 0.12, "reveals": 0.5}
BONUS_WEIGHTS: Final = {name: GridWeights(**_CHANCES, **grid) for name, grid in _GRIDS.items()}
BONUS_DOCUMENT: Final[dict[str, Any]] = {
    "format": "sabot-weights/1",
    "rules": "mega-fire-blaze-blackjack/1",
    "bonus_grid": {name: _CHANCES | grid for name, grid in _GRIDS.items()},
}
