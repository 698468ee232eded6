"""The digest of a document's content: the same for the same facts, however they were written."""

import json
from hashlib import sha256
from typing import Final

from rounds.rules.facts import Bonus, Round, ShoeOpening

_ROUND: Final = b"round/1\n"
_SHOE: Final = b"shoe/1\n"


def content_digest(said: Round | ShoeOpening) -> bytes:
    """The SHA-256 of the facts with their defaults applied.

    What is hashed: the feed's name and version, a line feed, then the facts as one JSON array in
    ASCII without white space. A round is the array of its fields in the order of ``facts.Round``,
    every part of it an array in the order of its own fields; times are milliseconds, money is
    cents, what is absent is null. Multiplier cards and specials, whose order has no meaning, are
    sorted. Key order, white space, ``"10"`` for ``"10.00"`` and a default that is written out
    change nothing; the order of cards, bets, spins and disconnects does.
    """
    if isinstance(said, ShoeOpening):
        return _digest(_SHOE, said)
    multipliers = None if said.multipliers is None else tuple(sorted(said.multipliers))
    bonus = None if said.bonus is None else _sorted(said.bonus)
    return _digest(_ROUND, said._replace(multipliers=multipliers, bonus=bonus))


def _sorted(bonus: Bonus) -> Bonus:
    return bonus._replace(specials=tuple(sorted(bonus.specials)))


def _digest(name: bytes, facts: Round | ShoeOpening) -> bytes:
    return sha256(name + json.dumps(facts, separators=(",", ":")).encode("ascii")).digest()
