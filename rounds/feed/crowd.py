"""Very many bets of one round, as at tables that seat any number of players.

A crowd's bets are of few sorts: what a bet says, apart from whose it is and when, is read once for
each sort. Nothing is taken here that reading the bets one by one would refuse.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from rounds.feed.refused import Refused
from rounds.feed.times import NotTime, parse_time
from rounds.rules.facts import Bet

_SORTING: Final = {
    *("kind", "stake", "box", "raised", "play", "funding"),
    *("behind", "follows", "reported"),
}
_EQUAL_ACROSS_TYPES: Final = {"box": int, "behind": bool, "follows": bool}
"""Fields in which 1, 1.0 and true would pass for one another when sorts are compared."""
_SAID_BY_SORT: Final = slice(3, 11)
"""Where in a ``Bet`` the fields lie that its sort decides, ``reported_cents`` aside."""


def read_crowd(values: Sequence[Any], read_bet: Callable[[object], Bet]) -> tuple[Bet, ...] | None:
    """The bets, None where one of them has to be looked at more closely, or refused."""
    try:
        sorts = _sorts_of(values)
        samples = dict(zip(sorts, values, strict=True))
        said = {sort: _said_by(read_bet(sample)) for sort, sample in samples.items()}
        names = [_texts(values, field) for field in ("id", "player", "participation")]
        placed_at = [parse_time(value["placed_at"]) for value in values]
    except (Refused, NotTime, TypeError, ValueError):
        return None
    new = tuple.__new__  # what Bet(...) does, without the call in between
    rows = zip(*names, map(said.__getitem__, sorts), placed_at, strict=True)
    return tuple(
        [
            new(Bet, (bet, player, participation, *terms, at, reported))
            for bet, player, participation, (terms, reported), at in rows
        ]
    )


def _said_by(bet: Bet) -> tuple[tuple[object, ...], int | None]:
    return tuple(bet)[_SAID_BY_SORT], bet.reported_cents


def _sorts_of(values: Sequence[Any]) -> list[tuple[object, ...]]:
    """For each bet what makes it one of a sort: its fields' names, and what the shared ones say."""
    if set(map(type, values)) != {dict}:
        raise TypeError
    said = set().union(*values)
    columns = []
    for field in _SORTING & said:
        column = [value.get(field) for value in values]
        kind = _EQUAL_ACROSS_TYPES.get(field)
        if kind is not None and not set(map(type, column)) <= {kind, type(None)}:
            raise TypeError
        columns.append(column)
    return list(zip(map(tuple, values), *columns, strict=True))


def _texts(values: Sequence[Any], field: str) -> list[str]:
    """A field that every bet has of its own: printable text, as it nearly always is."""
    texts = [value[field] for value in values]
    if not (all(texts) and "".join(texts).isprintable()):
        raise ValueError
    return texts
