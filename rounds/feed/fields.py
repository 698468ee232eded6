"""Parsing of single fields. Each function raises FeedError for an invalid value."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any, Final

from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.times import InvalidTime, parse_time
from rounds.feed.typed_documents import MOST
from rounds.rules.cards import CARDS, INDEX
from rounds.rules.money import InvalidAmount, parse_cents

Document = dict[str, Any]
"""A JSON object with unvalidated values."""

ROUND_ID_PATTERN: Final = "[A-Za-z0-9._:-]{1,64}"
PLAY_PATTERN: Final = "[HSDZ]*(?:P[HSDZ]*,[HSDZ]*)?"
SHA256_PATTERN: Final = "[0-9A-Fa-f]{64}"
LONGEST_SHORT_TEXT: Final = 64
_ROUND_ID: Final = re.compile(ROUND_ID_PATTERN)
_SHA256: Final = re.compile(SHA256_PATTERN)
_PLAY: Final = re.compile(PLAY_PATTERN)
PLACES: Final = ("D", "P", "B", *(f"{box}{hand}" for box in "1234567" for hand in ("", *"abz")))
DEALT: Final = {(place, card): (place, card) for place in PLACES for card in CARDS}
"""Each card at each place: one tuple for all rounds."""
_LISTS: Final = {list}
_NOTHING: Final[frozenset[str]] = frozenset()


def read_object(
    value: object, *, required: frozenset[str], optional: frozenset[str] = _NOTHING
) -> Document:
    """An object with all required fields and no others than the optional ones."""
    if type(value) is not dict:
        raise FeedError("", shorten(value), "an object")
    fields = value.keys()
    if not fields >= required:
        raise FeedError(min(required - fields), "nothing", "a value: the field is required")
    if len(fields) > len(required) and not (fields - required) <= optional:
        unknown = min(fields - required - optional)
        raise FeedError(_name(unknown), "an unknown field", _one_of(required | optional))
    return value


def read_text(document: Document, field: str) -> str:
    """A text that is not empty and that PostgreSQL can store."""
    value = document[field]
    if type(value) is str and is_text(value):
        return value
    raise FeedError(field, shorten(value), "text of at least one character")


def read_short_text(document: Document, field: str) -> str:
    """A text of at most ``LONGEST_SHORT_TEXT`` characters that PostgreSQL can store."""
    value = document[field]
    if type(value) is str and len(value) <= LONGEST_SHORT_TEXT and _is_storable(value):
        return value
    raise FeedError(field, shorten(value), f"text of at most {LONGEST_SHORT_TEXT} characters")


def read_sha256(document: Document, field: str) -> str:
    """A SHA-256 in hexadecimal, in lower case."""
    value = document[field]
    if type(value) is str and _SHA256.fullmatch(value) is not None:
        return value.lower()
    raise FeedError(field, shorten(value), "a SHA-256 in hexadecimal")


def read_choice(document: Document, field: str, choices: Collection[str]) -> str:
    """One of a few texts."""
    value = document[field]
    if type(value) is str and value in choices:
        return value
    raise FeedError(field, shorten(value), _one_of(choices))


def read_flag(document: Document, field: str) -> bool:
    """True or false."""
    value = document[field]
    if type(value) is bool:
        return value
    raise FeedError(field, shorten(value), "true or false")


def read_count(document: Document, field: str) -> int:
    """An integer from 0 on."""
    value = document[field]
    if type(value) is int and 0 <= value <= MOST:
        return value
    raise FeedError(field, shorten(value), "an integer from 0 on")


def read_money(document: Document, field: str) -> int:
    """An amount in cents."""
    value = document[field]
    try:
        return cents_of(value)
    except (InvalidAmount, TypeError):
        needed = 'an amount in euro with at most two decimals, such as "10.00"'
        raise FeedError(field, shorten(value), needed) from None


def read_time(document: Document, field: str) -> int:
    """A time, in milliseconds since 1970."""
    value = document[field]
    try:
        return parse_time(value)
    except (InvalidTime, TypeError):
        needed = 'a moment in UTC, such as "2026-11-21T21:10:15Z"'
        raise FeedError(field, shorten(value), needed) from None


def read_list(document: Document, field: str) -> list[Any]:
    """A list."""
    value = document[field]
    if type(value) is list:
        return value
    raise FeedError(field, shorten(value), "a list")


def read_round_id(document: Document) -> str:
    """The studio's id of a round."""
    value = document["round"]
    if type(value) is str and is_round_id(value):
        return value
    raise FeedError("round", shorten(value), "1 to 64 of A-Z a-z 0-9 . _ : -")


def read_cards(document: Document, field: str) -> tuple[str, ...]:
    """Cards without a place."""
    cards = read_list(document, field)
    for number, card in enumerate(cards):
        if type(card) is not str or card not in INDEX:
            raise FeedError(f"{field}[{number}]", shorten(card), 'a card, such as "8H"')
    return tuple(cards)


def read_dealt(document: Document, field: str) -> tuple[tuple[str, str], ...]:
    """Cards with their places."""
    pairs = read_list(document, field)
    try:
        if set(map(type, pairs)) <= _LISTS:
            return tuple([DEALT[tuple(pair)] for pair in pairs])
    except (KeyError, TypeError):
        pass
    number, wrong = next((n, pair) for n, pair in enumerate(pairs) if not _is_dealt(pair))
    shown = shorten(wrong)
    if type(wrong) is list and wrong:
        shown = ", ".join(shorten(part) for part in wrong[:3])
    raise FeedError(f"{field}[{number}]", shown, 'a place and a card, such as ["1", "8H"]')


def _is_dealt(pair: object) -> bool:
    if type(pair) is not list or not all(type(part) is str for part in pair):
        return False
    return tuple(pair) in DEALT


@lru_cache(maxsize=4096)
def cents_of(text: str) -> int:
    """The cents of an amount. Raises InvalidAmount for other text, TypeError for other types."""
    return parse_cents(text)


@lru_cache(maxsize=4096)
def is_play(text: str) -> bool:
    """Whether the text is a play (contract, detail 10). Raises TypeError for other types."""
    return _PLAY.fullmatch(text) is not None


def is_round_id(text: str) -> bool:
    """Whether the text can be the id of a round."""
    return _ROUND_ID.fullmatch(text) is not None


def is_text(text: str) -> bool:
    """Whether the text is not empty and PostgreSQL can store it."""
    return text != "" and _is_storable(text)


def _is_storable(text: str) -> bool:
    """Whether the text has neither a lone surrogate nor a NUL."""
    return text.isprintable() or (
        "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)
    )


def _name(field: str) -> str:
    """A field's name for messages; two quotes for an empty name."""
    shown = shorten(field)
    return shown[1:-1] or shown


def _one_of(choices: Collection[str]) -> str:
    return "one of " + ", ".join(sorted(choices))
