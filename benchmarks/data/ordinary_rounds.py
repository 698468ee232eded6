"""Ordinary rounds of three valid bets, from the simulator's tables."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rounds.feed import document_of
from rounds.rules.blackjack.games import live_blackjack, mega_fire_blaze, quantum, zappit
from rounds.rules.facts import Round
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, VOID
from rounds.simulation.baccarat_rounds.dealing import BaccaratDealing
from rounds.simulation.blackjack_rounds.dealing import BlackjackDealing
from rounds.simulation.dealing import Dealing, Pace
from rounds.simulation.faults.documents import write_line
from rounds.simulation.table import Place, Table
from rounds.simulation.table_feed import table_feed

_BETS: Final = 3
_START: Final = 1_790_000_000_000
_PACE: Final = Pace(betting=(13_000, 18_000), payout=(2_000, 4_000), pause=(3_000, 7_000))

ONE_VISITOR: Final[dict[str, Dealing]] = {
    "baccarat": BaccaratDealing(places=2),
    **{
        name: BlackjackDealing(rule_set=rule_set, rules=rules, places=1, pace=_PACE)
        for name, rule_set, rules in (
            ("blackjack", live_blackjack.BLACKJACK_1, live_blackjack.GAME),
            (
                "mega_fire_blaze",
                mega_fire_blaze.MEGA_FIRE_BLAZE_BLACKJACK_1,
                mega_fire_blaze.GAME,
            ),
            ("quantum", quantum.QUANTUM_BLACKJACK_1, quantum.GAME),
            ("zappit", zappit.ZAPPIT_BLACKJACK_1, zappit.GAME),
        )
    },
}


class Ordinary(NamedTuple):
    """A line of a feed, and what is known of the shoe before it."""

    line: str
    shoe: Shoe | None


def ordinary_rounds(name: str) -> Iterator[Ordinary]:
    """Rounds of a game without end, each with three bets that count and none behind another."""
    game = ONE_VISITOR[name]
    table = Table(place=Place("bench-1", 1, game), seed="1", start=_START, bets_per_round=0)
    shoes: dict[str, Shoe] = {}
    for handed_over in table_feed(table, seed="1", faults=0):
        event = handed_over.payload
        if not isinstance(event, Round):
            shoes = {event.shoe: Shoe.opened(event)} if not isinstance(event, str) else shoes
            continue
        before = None if event.shoe is None else shoes[event.shoe]
        if event.shoe is not None:
            shoes[event.shoe] = shoes[event.shoe].after(event)
        if len(event.bets) == _BETS and _is_ordinary(game, event, before):
            yield Ordinary(write_line(document_of(event)), before)


def _is_ordinary(game: Dealing, dealt: Round, shoe: Shoe | None) -> bool:
    verdict = game.rule_set.judge(dealt, shoe)
    return verdict.status == SETTLED and all(grade.outcome != VOID for grade in verdict.grades)
