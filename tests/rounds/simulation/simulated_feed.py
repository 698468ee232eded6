"""Documents of a simulated feed, for tests."""

import json
from typing import Any

from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES

START = 1_793_491_200_000  # 2026-11-01T00:00:00Z
EVERY_GAME = Order(games=[*GAMES], rounds=600, seed="casino", start=START, tables=2)


def documents(order: Order) -> list[dict[str, Any]]:
    """The documents of a simulation order."""
    return [json.loads(line.text) for line in simulate(order)]


def rounds_of(game: str, *, rounds: int, seed: str = "rounds") -> list[dict[str, Any]]:
    """The rounds of one game at one table."""
    order = Order(games=[game], rounds=rounds, seed=seed, start=START)
    return [document for document in documents(order) if document["feed"] == "round/1"]
