"""Final hands of the dealer, by the settlement's drawing rule.

The chance of drawing given cards does not depend on their order. The number of orders of each hand
is counted once; a shoe then only supplies the chance of its cards.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.jit_compiler import Ints
from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import TWENTY_ONE, Values

LOWEST: Final = 17
"""The dealer never stands on less."""
PUSHING_BUST: Final = 5
BLACKJACK: Final = 6
ENDINGS: Final = 7
"""17 to 21 are endings 0 to 4. The remainder is a paying bust."""

_Counts = tuple[int, ...]


class Draws(NamedTuple):
    """The dealer's hands under one upcard as a tree; each node adds one card to its parent.

    Node 0 is the upcard. Values never rise along a path, so that hands share prefixes. Nodes of
    final hands have orders above 0.
    """

    parent: Ints
    column: Ints
    """The value that the node adds, 0 to 9."""
    before: Ints
    """Number of cards of that value earlier on the path, without the upcard."""
    depth: Ints
    """Number of drawn cards; nodes are sorted by it."""
    ending: Ints
    orders: Ints
    """Number of orders in which the rule draws these cards."""


@cache
def draws_of(game: BlackjackGame) -> tuple[Draws, ...]:
    """The dealer's draws under upcards 1 to 10."""
    return tuple(_tree_of(*_final_hands(game, upcard)) for upcard in range(1, VALUES + 1))


def _final_hands(game: BlackjackGame, upcard: int) -> tuple[dict[_Counts, int], dict[_Counts, int]]:
    """Orders and ending of every final hand that is no paying bust."""
    orders: Counter[_Counts] = Counter({(0,) * VALUES: 1})
    values_of: dict[_Counts, Values] = {(0,) * VALUES: (upcard,)}
    final: dict[_Counts, int] = {}
    endings: dict[_Counts, int] = {}
    while orders:
        drawn: Counter[_Counts] = Counter()
        for counts, ways in orders.items():
            for column in range(VALUES):
                more = (*counts[:column], counts[column] + 1, *counts[column + 1 :])
                drawn[more] += ways
                values_of.setdefault(more, (*values_of[counts], column + 1))
        orders = Counter()
        for counts, ways in drawn.items():
            if draw_by_rule(game, values_of[counts]).has_to_draw:
                orders[counts] = ways
            elif (ending := _ending_of(game, values_of[counts])) is not None:
                final[counts], endings[counts] = ways, ending
    return final, endings


def _ending_of(game: BlackjackGame, values: Values) -> int | None:
    """The ending of a final hand; None for a paying bust."""
    dealer = draw_by_rule(game, values)
    if dealer.has_blackjack:
        return BLACKJACK
    if dealer.points > TWENTY_ONE:
        return PUSHING_BUST if game.bust_pushes(values) else None
    return dealer.points - LOWEST


def _tree_of(final: dict[_Counts, int], endings: dict[_Counts, int]) -> Draws:
    paths = {_path_of(counts): counts for counts in final}
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
        orders=_column(final.get(paths.get(path, none), 0) for path in nodes),
    )


def _path_of(counts: _Counts) -> _Counts:
    """The columns of the cards, the highest first."""
    return tuple(column for column in reversed(range(VALUES)) for _ in range(counts[column]))


def _column(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
