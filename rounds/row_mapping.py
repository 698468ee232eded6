"""Conversion of facts to table columns and back."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.storage.copy_text import NULL, escaped
from rounds.rules.facts import Bet, Bonus, Disconnect, Round, Video
from rounds.rules.ruling import Ruling

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_BLOCK: Final = 500

BET_COLUMNS: Final = (
    "round_id",
    "number",
    "reference",
    "customer_id",
    "participation",
    "box",
    "kind",
    "stake_cents",
    "raised_cents",
    "play",
    "golden",
    "behind",
    "follows",
    "placed_at",
    "reported_cents",
)


def datetime_of(milliseconds: int) -> datetime:
    """The time in UTC of milliseconds since 1970."""
    return _EPOCH + milliseconds * _MILLISECOND


def milliseconds_of(moment: datetime) -> int:
    """Milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND


def cards_column(cards: Sequence[tuple[str, str]]) -> list[str]:
    """``("1a", "8H")`` as ``"1a 8H"``, in dealing order."""
    return [f"{place} {card}" for place, card in cards]


def cards_of(column: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The inverse of ``cards_column``."""
    return tuple(map(_card_of, column))


@cache
def _card_of(text: str) -> tuple[str, str]:
    return text[:-3], text[-2:]


def bonus_of(column: Sequence[Any] | None) -> Bonus | None:
    """The bonus from its JSON column of nested lists."""
    if column is None:
        return None
    level, spins, specials, multiplier = column
    return Bonus(
        level,
        tuple(tuple((cell, value) for cell, value in spin) for spin in spins),
        tuple((section, kind, value) for section, kind, value in specials),
        multiplier,
    )


def disconnects_of(column: Sequence[Any] | None) -> tuple[Disconnect, ...]:
    """The disconnects from their JSON column of nested lists."""
    return tuple(
        Disconnect(player, at, seen, tuple((place, card) for place, card in cards))
        for player, at, seen, cards in column or ()
    )


def multipliers_of(column: Sequence[Any] | None) -> tuple[tuple[str, str], ...] | None:
    """The multiplier cards from their JSON column."""
    return None if column is None else tuple((card, value) for card, value in column)


def video_of(column: Sequence[str] | None) -> Video | None:
    """The recording from its JSON column."""
    return None if column is None else Video(*column)


class RoundFact(NamedTuple):
    """A fact of a round and the column of ``rounds_round`` that stores it."""

    name: str
    """The field of ``rounds.rules.facts.Round``."""
    column: str
    to_column: Callable[[Any], object] | None = None
    """From the fact to the column's value; None where they are equal."""
    from_column: Callable[[Any], object] | None = None
    """The inverse of ``to_column``, from the value that ``select`` gives."""
    select: str = "round.{}"
    """SQL that reads the column."""


def _json_column(value: object) -> str | None:
    return None if value is None else json.dumps(value)


def _disconnects_column(disconnects: Sequence[Disconnect]) -> str | None:
    return _json_column(disconnects or None)


MILLISECONDS: Final = "round(date_part('epoch', {}) * 1000)::bigint"
"""SQL: a time in milliseconds since 1970."""
_TIME: Final = (datetime_of, None, MILLISECONDS.format("round.{}"))

# The one declaration of what is stored of a round: written by `round_columns`, read by
# `round_facts`. The table and the bets have tables of their own.
ROUND_FACTS: Final = (
    RoundFact("round", "reference"),
    RoundFact("rules", "rules"),
    RoundFact("shoe", "shoe"),
    RoundFact("drawn", "drawn"),
    RoundFact("opened_at", "opened_at", *_TIME),
    RoundFact("closed_at", "closed_at", *_TIME),
    RoundFact("ended_at", "ended_at", *_TIME),
    RoundFact("session", "session"),
    RoundFact("cards", "cards", cards_column, cards_of),
    RoundFact("multipliers", "multipliers", _json_column, multipliers_of),
    RoundFact("bonus", "bonus", _json_column, bonus_of),
    RoundFact("disconnects", "disconnects", _disconnects_column, disconnects_of),
    RoundFact("malfunction", "malfunction"),
    RoundFact("dealer", "dealer"),
    RoundFact("shift", "shift"),
    RoundFact("location", "location"),
    RoundFact("video", "video", _json_column, video_of),
)
_values_of: Final = attrgetter(*(fact.name for fact in ROUND_FACTS))


def round_columns(dealt: Round) -> list[object]:
    """The values of a round's columns, in the order of ``ROUND_FACTS``."""
    return [
        value if fact.to_column is None else fact.to_column(value)
        for fact, value in zip(ROUND_FACTS, _values_of(dealt), strict=True)
    ]


def round_facts(columns: Sequence[Any], *, table: str, bets: tuple[Bet, ...]) -> Round:
    """The round from the columns that the ``select`` of ``ROUND_FACTS`` give, in their order."""
    facts: dict[str, Any] = {
        fact.name: value if fact.from_column is None else fact.from_column(value)
        for fact, value in zip(ROUND_FACTS, columns, strict=True)
    }
    return Round(table=table, bets=bets, **facts)


def bet_lines(
    round_id: UUID, bets: Sequence[Bet], customer_ids: Mapping[str, int]
) -> Iterator[str]:
    """The bets of a round as lines for COPY, in the order of ``BET_COLUMNS``.

    Yields blocks of lines, so that the database stores the first while the last are formatted. Only
    texts chosen by studios need escaping; kinds and plays are validated.
    """
    key, seconds = round_id.hex, _Seconds()
    lines: list[str] = []
    for number, bet in enumerate(bets):
        if len(lines) == _BLOCK:
            yield "".join(lines)
            lines.clear()
        reference, player, participation, box, kind, stake, raised, play, *_ = bet
        *_, golden, behind, follows, placed_at, reported = bet
        second, millisecond = divmod(placed_at, 1000)
        lines.append(
            f"{key}\t{number}\t{escaped(reference)}\t{customer_ids[player]}"
            f"\t{escaped(participation)}\t{NULL if box is None else box}\t{kind}\t{stake}"
            f"\t{raised}\t{play}\t{golden}\t{behind}\t{follows}"
            f"\t{seconds[second]}.{millisecond:03}+00\t{NULL if reported is None else reported}\n"
        )
    yield "".join(lines)


class _Seconds(dict[int, str]):
    """A cache of seconds since 1970 as text; the bets of a round share few."""

    def __missing__(self, second: int) -> str:
        text = self[second] = datetime_of(second * 1000).strftime("%Y-%m-%d %H:%M:%S").zfill(19)
        return text


def bet_of(row: Sequence[Any]) -> Bet:
    """The bet from ``BET_COLUMNS`` without the first two, with a pseudonym for the customer id."""
    reference, pseudonym, participation, box, kind, stake, raised, play, *flags = row
    golden, behind, follows, placed_at, reported = flags
    return Bet(
        reference,
        pseudonym,
        participation,
        box,
        kind,
        stake,
        raised,
        play,
        golden,
        behind,
        follows,
        milliseconds_of(placed_at),
        reported,
    )


def ruling_column(ruling: Ruling) -> dict[str, Any]:
    """The ruling as JSON, without fields that have their default."""
    fields: dict[str, Any] = {
        "cards": None if ruling.cards is None else cards_column(ruling.cards),
        "plays": {str(number): play for number, play in sorted(ruling.plays.items())},
        "multipliers": ruling.multipliers,
        "bonus": ruling.bonus,
        "no_bonus": ruling.no_bonus,
        "malfunction": ruling.malfunction,
        "as_dealt": ruling.as_dealt,
        "released": ruling.released,
        "refunded": sorted(ruling.refunded),
    }
    return {name: value for name, value in fields.items() if value or _is_explicit(name, value)}


def _is_explicit(name: str, value: object) -> bool:
    """Whether a false value is a ruling: no malfunction, or no multiplier cards."""
    return (name, value) == ("malfunction", False) or (name, value) == ("multipliers", ())


def ruling_of(column: Mapping[str, Any]) -> Ruling:
    """The inverse of ``ruling_column``."""
    cards = column.get("cards")
    return Ruling(
        cards=None if cards is None else cards_of(cards),
        plays={int(number): play for number, play in column.get("plays", {}).items()},
        multipliers=multipliers_of(column.get("multipliers")),
        bonus=bonus_of(column.get("bonus")),
        no_bonus=column.get("no_bonus", False),
        malfunction=column.get("malfunction"),
        as_dealt=column.get("as_dealt", False),
        released=column.get("released", False),
        refunded=frozenset(column.get("refunded", ())),
    )
