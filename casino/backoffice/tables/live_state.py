"""What happens at a table: its last rounds, and the shoe in use."""

from typing import Any, Final, NamedTuple

from payouts.settlement.queries import settlement_statuses
from rounds.models import Round, ShoeOpening, Table
from rounds.rules.cards import INDEX
from rounds.rules.catalogue import RULE_SETS
from rounds.services.intake import shoes_now

_LAST_ROUNDS: Final = 10
_MOST_OPENINGS: Final = 20
_MOST_SHOES: Final = 8


class ShoeInUse(NamedTuple):
    """The shoe of the latest round or opening."""

    name: str
    drawn: int
    left: int | None
    """Cards that remain; None if the number of decks is unknown."""

    @property
    def cards(self) -> int | None:
        """The cards of a full shoe."""
        return None if self.left is None else self.drawn + self.left


def live_state(table: Table) -> dict[str, Any]:
    """The last rounds with their statuses, the shoe in use and those before."""
    rounds = list(Round.objects.filter(table=table).order_by("-id")[:_LAST_ROUNDS])
    statuses = settlement_statuses([round_.pk for round_ in rounds])
    openings = _latest_openings(table)
    return {
        "last_rounds": [(round_, statuses[round_.pk]) for round_ in rounds],
        "shoe": _shoe_in_use(table, rounds, openings),
        "shoes": openings[:_MOST_SHOES],
    }


def _latest_openings(table: Table) -> list[ShoeOpening]:
    """The latest announced shoes, without duplicates."""
    openings = ShoeOpening.objects.filter(table=table).order_by("-arrival")[:_MOST_OPENINGS]
    return list({opening.shoe: opening for opening in reversed(openings)}.values())[::-1]


def _shoe_in_use(
    table: Table, rounds: list[Round], openings: list[ShoeOpening]
) -> ShoeInUse | None:
    """None if the latest round has no shoe and none was announced since."""
    latest = [
        *((opening.arrival, opening.shoe) for opening in openings[:1]),
        *((round_.arrival, round_.shoe) for round_ in rounds[:1]),
    ]
    name = max(latest, default=(0, None))[1]
    if name is None:
        return None
    drawn = shoes_now([name])[name].position
    rules = RULE_SETS.get(table.rules)
    if rules is None or drawn is None:
        return ShoeInUse(name, drawn or 0, None)
    return ShoeInUse(name, drawn, max(rules.decks * len(INDEX) - drawn, 0))
