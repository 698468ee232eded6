"""Time to certify an ordinary blackjack in memory, and all rule sets by the command."""

import subprocess
import sys
from dataclasses import replace
from statistics import median
from time import perf_counter, process_time
from typing import Final

from benchmarks.figures import Figure
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE
from compliance.certification.returns.blackjack.analysis import Play, analyse_game
from rounds.rules.blackjack.declaration import AgainstBlackjack
from rounds.rules.blackjack.games.live_blackjack import GAME

_RUNS: Final = 5
_LOOKS: Final = AgainstBlackjack(looked_at=True, plays_allowed=False, doubles_return=False)
_ORDINARY: Final = replace(GAME, under_ace=_LOOKS, under_ten=_LOOKS)
"""Eight decks, the dealer stands on soft 17 and looks, no double after a split."""


def measure_certify(_place: Workspace) -> list[Figure]:
    """Everything is compiled before it is timed."""
    figures = []
    for play, words in ((Play.COMPOSITION, "by composition"), (Play.TOTAL, "by the best chart")):
        analyse_game(_ORDINARY, play)
        seconds = median(_cpu_seconds(play) for _ in range(_RUNS))
        name = "certify.blackjack8.seconds" + ("" if play is Play.COMPOSITION else ".chart")
        figures.append(Figure(name, seconds, f"CPU seconds, an ordinary 8-deck game {words}"))
    began = perf_counter()
    command = [sys.executable, "manage.py", "certify", "--json"]
    subprocess.run(command, cwd=CLONE, check=True, stdout=subprocess.DEVNULL)
    whole = perf_counter() - began
    return [
        *figures,
        Figure("certify.seconds", whole, "seconds, all five rule sets, all processors"),
    ]


def _cpu_seconds(play: Play) -> float:
    began = process_time()
    analyse_game(_ORDINARY, play)
    return process_time() - began
