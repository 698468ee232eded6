"""Digests of documents and of their arrival: equal facts have equal digests in any notation."""

import json
from contextlib import suppress
from hashlib import sha256
from typing import Final

import msgspec

from rounds.rules.facts import Bonus, Round, ShoeOpening

_ROUND: Final = b"round/1\n"
_SHOE: Final = b"shoe/1\n"
_encode: Final = msgspec.json.Encoder().encode
_ADDED: Final = Round._fields.index("dealer")
"""The first of the fields that earlier releases did not know."""


def content_digest(document: Round | ShoeOpening) -> bytes:
    """The SHA-256 of the facts with their defaults applied.

    Hashed are the feed's name and version, a line feed, and the facts as one JSON array in ASCII
    without white space. A round is the array of its fields in the order of ``facts.Round``; nested
    tuples likewise. Times are milliseconds, money is cents, absent values are null. Multiplier
    cards and specials are sorted: their order has no meaning. Key order, white space, ``"10"`` for
    ``"10.00"`` and explicit defaults change nothing; the order of cards, bets, spins and
    disconnects does. The fields from ``dealer`` on are left out if all are absent: earlier releases
    did not know them.
    """
    if isinstance(document, ShoeOpening):
        return _digest(_SHOE, document)
    multipliers = None if document.multipliers is None else tuple(sorted(document.multipliers))
    bonus = None if document.bonus is None else _sorted(document.bonus)
    facts = document._replace(multipliers=multipliers, bonus=bonus)
    added = facts[_ADDED:]
    return _digest(_ROUND, facts[:_ADDED] if added.count(None) == len(added) else facts)


def digest_of_arrival(
    *, arrival: int, limit_set_id: int | None, position: int | None, seen: bytes | None
) -> bytes:
    """The digest of the state under which a round arrived, 32 bytes.

    ROUND_RECEIVED records it in hexadecimal as ``known``. It is the SHA-256 of the JSON array,
    without white space, of: the arrival number, the id of the stake limits in force, and of the
    shoe before the round its position and, in hexadecimal, its counts of seen cards; null where
    there is none.
    """
    state = [arrival, limit_set_id, position, None if seen is None else seen.hex()]
    return sha256(json.dumps(state, separators=(",", ":")).encode()).digest()


def _sorted(bonus: Bonus) -> Bonus:
    return bonus._replace(specials=tuple(sorted(bonus.specials)))


def _digest(name: bytes, facts: tuple[object, ...]) -> bytes:
    return sha256(name + _json(facts)).digest()


def _json(facts: tuple[object, ...]) -> bytes:
    """As the standard library writes it, by msgspec where both write the same.

    Which is where no character has to be escaped: it is faster, and needs a sixth of the memory.
    """
    with suppress(UnicodeEncodeError):  # half of a surrogate pair
        text = _encode(facts)
        if text.isascii() and b"\\" not in text and b"\x7f" not in text:
            return text
    return json.dumps(facts, separators=(",", ":")).encode("ascii")
