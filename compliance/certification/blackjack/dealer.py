"""Every way in which the dealer's hand can end, by the rule that settlement draws by.

The chance of drawing some cards does not depend on their order. So all orders that make one hand
are counted once, for good, and a shoe only has to say how likely its cards are.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Ints
from compliance.certification.blackjack.hands import VALUES
from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import TWENTY_ONE, Values

LOWEST: Final = 17
"""The dealer never stands on less."""
PUSHING_BUST: Final = 5
BLACKJACK: Final = 6
ENDINGS: Final = 7
"""17 to 21 are endings 0 to 4. All that is left is a bust that pays."""

_Counts = tuple[int, ...]


class Draws(NamedTuple):
    """The dealer's hands under one upcard as a tree: each node adds one card to its parent's.

    Node 0 is the upcard alone. The cards of a path never rise in value, so that hands share the
    cards they begin with; a node that is itself an ended hand has orders above 0.
    """

    parent: Ints
    column: Ints
    """The value that the node adds, 0 to 9."""
    before: Ints
    """How many cards of that value were drawn on the path before, without the upcard."""
    depth: Ints
    """How many cards were drawn; nodes stand in the order of it."""
    ending: Ints
    orders: Ints
    """In how many orders the rule draws these cards."""


@cache
def draws_of(game: BlackjackGame) -> tuple[Draws, ...]:
    """The dealer's draws under upcards 1 to 10."""
    return tuple(_tree_of(*_ended_under(game, upcard)) for upcard in range(1, VALUES + 1))


def _ended_under(game: BlackjackGame, upcard: int) -> tuple[dict[_Counts, int], dict[_Counts, int]]:
    """Of every drawn hand that ends and is no paying bust: in how many orders, and how."""
    orders: Counter[_Counts] = Counter({(0,) * VALUES: 1})
    shown: dict[_Counts, Values] = {(0,) * VALUES: (upcard,)}
    ended: dict[_Counts, int] = {}
    endings: dict[_Counts, int] = {}
    while orders:
        drawn: Counter[_Counts] = Counter()
        for counts, ways in orders.items():
            for column in range(VALUES):
                more = (*counts[:column], counts[column] + 1, *counts[column + 1 :])
                drawn[more] += ways
                shown.setdefault(more, (*shown[counts], column + 1))
        orders = Counter()
        for counts, ways in drawn.items():
            if draw_by_rule(game, shown[counts]).has_to_draw:
                orders[counts] = ways
            elif (ending := _ending_of(game, shown[counts])) is not None:
                ended[counts], endings[counts] = ways, ending
    return ended, endings


def _ending_of(game: BlackjackGame, values: Values) -> int | None:
    """How a hand ends that the rule leaves; None for a bust that pays."""
    dealer = draw_by_rule(game, values)
    if dealer.has_blackjack:
        return BLACKJACK
    if dealer.points > TWENTY_ONE:
        return PUSHING_BUST if game.bust_pushes(values) else None
    return dealer.points - LOWEST


def _tree_of(ended: dict[_Counts, int], endings: dict[_Counts, int]) -> Draws:
    paths = {_path_of(counts): counts for counts in ended}
    known = {path[:length] for path in paths for length in range(len(path) + 1)}
    nodes = sorted(known, key=lambda path: (len(path), path))
    number = {path: index for index, path in enumerate(nodes)}
    none = (0,) * VALUES
    return Draws(
        parent=_column(number[path[:-1]] for path in nodes),
        column=_column(path[-1] if path else 0 for path in nodes),
        before=_column(path.count(path[-1]) - 1 if path else 0 for path in nodes),
        depth=_column(len(path) for path in nodes),
        ending=_column(endings.get(paths.get(path, none), 0) for path in nodes),
        orders=_column(ended.get(paths.get(path, none), 0) for path in nodes),
    )


def _path_of(counts: _Counts) -> _Counts:
    """The columns of the cards, the highest first."""
    return tuple(column for column in reversed(range(VALUES)) for _ in range(counts[column]))


def _column(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
