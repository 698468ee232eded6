"""Facts to table columns and back: the two directions side by side, so that they stay equal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID

from compliance.trail.copying import NULL, escaped
from rounds.rules.facts import Bet, Bonus, Disconnect

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
    """The time that lies so many milliseconds after 1970, in UTC."""
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
    """The bonus from its JSON column, where a Bonus is written as nested lists."""
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
    """The disconnects from their JSON column, where each is written as nested lists."""
    return tuple(
        Disconnect(player, at, seen, tuple((place, card) for place, card in cards))
        for player, at, seen, cards in column or ()
    )


def multipliers_of(column: Sequence[Any] | None) -> tuple[tuple[str, str], ...] | None:
    """The multiplier cards from their JSON column."""
    return None if column is None else tuple((card, value) for card, value in column)


def bet_lines(
    round_id: UUID, bets: Sequence[Bet], customer_ids: Mapping[str, int]
) -> Iterator[str]:
    """The bets of a round as lines for COPY, one a bet, in the order of ``BET_COLUMNS``.

    They come in blocks, so that the database stores the first while the last are made. Kinds and
    plays are words of the contract, so only what studios make up needs escaping.
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
    """Seconds since 1970 as text; the bets of a round were placed in few of them."""

    def __missing__(self, second: int) -> str:
        text = self[second] = datetime_of(second * 1000).strftime("%Y-%m-%d %H:%M:%S").zfill(19)
        return text


def bet_of(row: Sequence[Any]) -> Bet:
    """The bet from a row of ``BET_COLUMNS`` without round and number, pseudonym for customer."""
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
