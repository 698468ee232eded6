"""The fields of rounds and bets in the feed, with their types: one declaration for all readers.

``read_object`` takes the names from here, the JSON Schemas too, and ``fast_reader`` the types. A
part that few rounds have is ``Any``: its own reader declares and checks it.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import fields

MOST: Final = 2**31 - 1
"""The greatest count: PostgreSQL's ``integer``."""
MOST_BETS: Final = 1_000_000


class BetDocument(Struct, forbid_unknown_fields=True, gc=False):
    """A bet (contract, "A bet"). ``UNSET`` is an absent field."""

    id: str
    player: str
    participation: str
    kind: str
    stake: str
    placed_at: str
    box: int | UnsetType = UNSET
    raised: str | UnsetType = UNSET
    play: str | UnsetType = UNSET
    funding: str | UnsetType = UNSET
    behind: bool | UnsetType = UNSET
    follows: bool | UnsetType = UNSET
    reported: str | UnsetType = UNSET


class RoundShoeDocument(Struct, forbid_unknown_fields=True, gc=False):
    """The shoe of a round."""

    id: str
    drawn: Annotated[int, Meta(ge=0, le=MOST)]


class RoundDocument(Struct, forbid_unknown_fields=True):
    """A round (contract, "A round"). ``UNSET`` is an absent field."""

    feed: Literal["round/1"]
    round: str
    table: str
    rules: str
    opened_at: str
    closed_at: str
    ended_at: str
    session: str
    cards: list[tuple[str, str]]
    bets: Annotated[list[BetDocument], Meta(max_length=MOST_BETS)]
    shoe: RoundShoeDocument | UnsetType = UNSET
    multipliers: Any = UNSET
    bonus: Any = UNSET
    disconnects: Any = UNSET
    incident: Any = UNSET
    dealer: str | UnsetType = UNSET
    shift: str | UnsetType = UNSET
    location: str | UnsetType = UNSET
    video: Any = UNSET


def required_fields(document: type[Struct]) -> frozenset[str]:
    """The names of the fields that every such object has."""
    return frozenset(field.name for field in fields(document) if field.required)


def optional_fields(document: type[Struct]) -> frozenset[str]:
    """The names of the other fields."""
    return frozenset(field.name for field in fields(document) if not field.required)
