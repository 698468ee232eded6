"""Facts to table columns and back: the two directions side by side, so that they stay equal."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from rounds.rules.facts import Bet, Bonus, Disconnect, Round

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

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
    return tuple((text[:-3], text[-2:]) for text in column)


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


def bet_rows(
    round_id: UUID, dealt: Round, customer_ids: dict[str, int]
) -> Iterator[tuple[Any, ...]]:
    """One row of ``BET_COLUMNS`` for each bet."""
    for number, bet in enumerate(dealt.bets):
        yield (
            round_id,
            number,
            bet.id,
            customer_ids[bet.player],
            bet.participation,
            bet.box,
            bet.kind,
            bet.stake_cents,
            bet.raised_cents,
            bet.play,
            bet.golden,
            bet.behind,
            bet.follows,
            datetime_of(bet.placed_at),
            bet.reported_cents,
        )


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
