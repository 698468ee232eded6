"""The forms that single fields of the feed have; whatever has another is refused."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any, Final

from rounds.feed.refused import Refused, describe
from rounds.feed.times import NotTime, parse_time
from rounds.rules.cards import CARDS, INDEX
from rounds.rules.money import NotMoney, parse_cents

Document = dict[str, Any]
"""A JSON object, its values unknown until they were looked at."""

_ROUND_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_PLAY: Final = re.compile(r"[HSDZ]*(?:P[HSDZ]*,[HSDZ]*)?")
_PLACES: Final = ("D", "P", "B", *(f"{box}{hand}" for box in "1234567" for hand in ("", *"abz")))
_DEALT: Final = {(place, card): (place, card) for place in _PLACES for card in CARDS}
_LISTS: Final = {list}
_NOTHING: Final[frozenset[str]] = frozenset()
_MOST: Final = 2**31 - 1
"""No count of cards comes near it, and every database can hold it."""


def read_object(
    value: object, *, required: frozenset[str], optional: frozenset[str] = _NOTHING
) -> Document:
    """An object with all of the required fields and none but the optional ones besides."""
    if type(value) is not dict:
        raise Refused("", describe(value), "an object")
    fields = value.keys()
    if not fields >= required:
        raise Refused(min(required - fields), "nothing", "a value: the field is required")
    if len(fields) > len(required) and not (fields - required) <= optional:
        unknown = min(fields - required - optional)
        raise Refused(_name(unknown), "an unknown field", _one_of(required | optional))
    return value


def read_text(document: Document, field: str) -> str:
    """Text that is not empty and that a database can store."""
    value = document[field]
    if type(value) is str and value and (value.isprintable() or _is_storable(value)):
        return value
    raise Refused(field, describe(value), "text of at least one character")


def read_choice(document: Document, field: str, choices: Collection[str]) -> str:
    """One of a few texts."""
    value = document[field]
    if type(value) is str and value in choices:
        return value
    raise Refused(field, describe(value), _one_of(choices))


def read_flag(document: Document, field: str) -> bool:
    """True or false."""
    value = document[field]
    if type(value) is bool:
        return value
    raise Refused(field, describe(value), "true or false")


def read_count(document: Document, field: str) -> int:
    """An integer from 0 on."""
    value = document[field]
    if type(value) is int and 0 <= value <= _MOST:
        return value
    raise Refused(field, describe(value), "an integer from 0 on")


def read_money(document: Document, field: str) -> int:
    """The cents of an amount."""
    value = document[field]
    try:
        return cents_of(value)
    except (NotMoney, TypeError):
        needed = 'an amount in euro with at most two decimals, such as "10.00"'
        raise Refused(field, describe(value), needed) from None


def read_time(document: Document, field: str) -> int:
    """The milliseconds since 1970 of a moment."""
    value = document[field]
    try:
        return parse_time(value)
    except (NotTime, TypeError):
        needed = 'a moment in UTC, such as "2026-11-21T21:10:15Z"'
        raise Refused(field, describe(value), needed) from None


def read_list(document: Document, field: str) -> list[Any]:
    """A list."""
    value = document[field]
    if type(value) is list:
        return value
    raise Refused(field, describe(value), "a list")


def read_round_id(document: Document) -> str:
    """The studio's id of a round."""
    value = document["round"]
    if type(value) is str and _ROUND_ID.fullmatch(value) is not None:
        return value
    raise Refused("round", describe(value), "1 to 64 of A-Z a-z 0-9 . _ : -")


def read_cards(document: Document, field: str) -> tuple[str, ...]:
    """Cards without a place."""
    cards = read_list(document, field)
    for number, card in enumerate(cards):
        if type(card) is not str or card not in INDEX:
            raise Refused(f"{field}[{number}]", describe(card), 'a card, such as "8H"')
    return tuple(cards)


def read_dealt(document: Document, field: str) -> tuple[tuple[str, str], ...]:
    """Cards with their places."""
    pairs = read_list(document, field)
    try:
        if set(map(type, pairs)) <= _LISTS:
            return tuple([_DEALT[tuple(pair)] for pair in pairs])
    except (KeyError, TypeError):
        pass
    number, wrong = next((n, pair) for n, pair in enumerate(pairs) if not _is_dealt(pair))
    shown = (
        ", ".join(describe(part) for part in wrong[:3]) if type(wrong) is list else describe(wrong)
    )
    raise Refused(f"{field}[{number}]", shown, 'a place and a card, such as ["1", "8H"]')


def _is_dealt(pair: object) -> bool:
    if type(pair) is not list or not all(type(part) is str for part in pair):
        return False
    return tuple(pair) in _DEALT


@lru_cache(maxsize=4096)
def cents_of(text: str) -> int:
    """The cents of an amount of the feed; NotMoney for another text, TypeError for no text."""
    return parse_cents(text)


@lru_cache(maxsize=4096)
def is_play(text: str) -> bool:
    """Whether the text has the form of a play; TypeError for no text (contract, detail 10)."""
    return _PLAY.fullmatch(text) is not None


def _is_storable(text: str) -> bool:
    """Whether the text has no half of a surrogate pair and no NUL."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _name(field: str) -> str:
    """A field's name as it can be shown; that of one without a name is a pair of quotes."""
    shown = describe(field)
    return shown[1:-1] or shown


def _one_of(choices: Collection[str]) -> str:
    return "one of " + ", ".join(sorted(choices))
