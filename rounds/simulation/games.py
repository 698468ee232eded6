"""The simulated games by name."""

from typing import Final, NamedTuple

from rounds.rules.blackjack.games import live_blackjack, mega_fire_blaze, quantum, zappit
from rounds.simulation.baccarat_rounds.dealing import BaccaratDealing
from rounds.simulation.blackjack_rounds.dealing import BlackjackDealing
from rounds.simulation.dealing import Dealing, Pace


class Simulated(NamedTuple):
    """A simulated game: the prefix of its table codes, and how it is dealt.

    The tables of a game are numbered from ``first_number`` + 1.
    """

    code: str
    first_number: int
    game: Dealing


_LIVE: Final = Pace(betting=(13_000, 18_000), payout=(2_000, 4_000), pause=(3_000, 7_000))
_ONE_PLAYER: Final = Pace(betting=(3_000, 12_000), payout=(800, 1_500), pause=(500, 3_000))

GAMES: Final[dict[str, Simulated]] = {
    "blackjack": Simulated(
        "bj",
        100,
        BlackjackDealing(
            rule_set=live_blackjack.BLACKJACK_1, rules=live_blackjack.GAME, places=9, pace=_LIVE
        ),
    ),
    "baccarat": Simulated("bac", 200, BaccaratDealing(places=9)),
    "mega-fire-blaze": Simulated(
        "mfb",
        300,
        BlackjackDealing(
            rule_set=mega_fire_blaze.MEGA_FIRE_BLAZE_BLACKJACK_1,
            rules=mega_fire_blaze.GAME,
            places=7,
            pace=_LIVE,
        ),
    ),
    "quantum": Simulated(
        "qb",
        400,
        BlackjackDealing(
            rule_set=quantum.QUANTUM_BLACKJACK_1, rules=quantum.GAME, places=8, pace=_LIVE
        ),
    ),
    "zappit": Simulated(
        "zap",
        500,
        BlackjackDealing(
            rule_set=zappit.ZAPPIT_BLACKJACK_1, rules=zappit.GAME, places=1, pace=_ONE_PLAYER
        ),
    ),
}

MOST_TABLES: Final = 99
"""The maximal number of tables of a game, so that numbers of games do not overlap."""


def table_codes(name: str, *, count: int) -> list[str]:
    """The codes of the first ``count`` tables of a game, ``bj-1`` and so on."""
    return [f"{GAMES[name].code}-{number}" for number in range(1, count + 1)]
