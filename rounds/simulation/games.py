"""The games that can be simulated, by the name under which they are asked for."""

from typing import Final, NamedTuple

from rounds.simulation.baccarat_dealing import BaccaratDealing
from rounds.simulation.dealing import Dealing


class Simulated(NamedTuple):
    """A game on offer: what its table codes begin with, and how it is dealt.

    The house numbers its tables; a game's first one is the one after ``first_number``.
    """

    code: str
    first_number: int
    game: Dealing


GAMES: Final[dict[str, Simulated]] = {
    "baccarat": Simulated("bac", 200, BaccaratDealing()),
}

MOST_TABLES: Final = 99
"""How many tables a game can have: more would have the numbers of another game's."""


def table_codes(name: str, *, count: int) -> list[str]:
    """The codes of the first ``count`` tables of a game, ``bj-1`` and so on."""
    return [f"{GAMES[name].code}-{number}" for number in range(1, count + 1)]
