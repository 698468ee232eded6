"""The games that can be simulated, by the name under which they are asked for."""

from typing import Final, NamedTuple

from rounds.rules.blackjack import live_blackjack
from rounds.rules.blackjack.live_blackjack import BLACKJACK_1
from rounds.simulation.baccarat_dealing import BaccaratDealing
from rounds.simulation.blackjack_dealing import BlackjackDealing
from rounds.simulation.dealing import Dealing, Pace


class Simulated(NamedTuple):
    """A game on offer: what its table codes begin with, and how it is dealt.

    The house numbers its tables; a game's first one is the one after ``first_number``.
    """

    code: str
    first_number: int
    game: Dealing


_LIVE_PACE: Final = Pace(betting=(13_000, 18_000), payout=(2_000, 4_000), pause=(3_000, 7_000))

GAMES: Final[dict[str, Simulated]] = {
    "blackjack": Simulated(
        "bj",
        100,
        BlackjackDealing(
            rule_set=BLACKJACK_1, rules=live_blackjack.GAME, places=9, pace=_LIVE_PACE
        ),
    ),
    "baccarat": Simulated("bac", 200, BaccaratDealing()),
}

MOST_TABLES: Final = 99
"""How many tables a game can have: more would have the numbers of another game's."""


def table_codes(name: str, *, count: int) -> list[str]:
    """The codes of the first ``count`` tables of a game, ``bj-1`` and so on."""
    return [f"{GAMES[name].code}-{number}" for number in range(1, count + 1)]
