"""The leaves of a tree: each customer's sums, cut into shares at random.

Everything random is derived from the tree's secret by HMAC-SHA-256 and HMAC-SHA-512, so that the
same leaves can be computed again, and without the secret nobody can tell whose share a leaf is.
Leaves are ordered by their commitments, which are as random: a share's place says nothing either.
"""

import hmac
from collections.abc import Iterable, Iterator
from datetime import date
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

from compliance.exports.sum_trees.merkle_sum_tree import NODE, Sums
from compliance.trail.encoding import json_of

SHARES: Final = 4
"""Shares of each customer. A leaf next to one of yours is the fourth part of somebody's day."""
_COMMITMENT: Final = b"\x02"
_NOTHING: Final = Sums(0, 0, 0, 0)
_CUT: Final = 16
"""Octets that place a cut: 128 bits, so that every place is equally likely."""


class TreeOf(NamedTuple):
    """Which tree: of a closed day and a game, with its secret of 32 octets."""

    day: date
    game: str
    secret: bytes


class Share(NamedTuple):
    """What opens the commitment of a leaf."""

    nonce: bytes
    commitment: bytes


def shares_of(tree: TreeOf, customer: str) -> list[Share]:
    """The shares of a customer, whom his pseudonym names, in the order of their numbers from 1."""
    key = _key_of(tree, customer)
    shares = []
    for number in range(1, SHARES + 1):
        nonce = hmac.digest(key, b"nonce" + bytes([number]), "sha256")
        commitment = sha256(_COMMITMENT + nonce + _opened(tree, customer, number)).digest()
        shares.append(Share(nonce, commitment))
    return shares


def leaves_of(tree: TreeOf, customers: Iterable[tuple[str, Sums]]) -> list[bytes]:
    """The records of all leaves in order, filled up with zeros to a power of two."""
    records = [
        NODE.pack(share.commitment, *sums)
        for customer, total in customers
        for share, sums in zip(shares_of(tree, customer), _cut(tree, customer, total), strict=True)
    ]
    size = 1 << max(0, len(records) - 1).bit_length()
    records += [_filler(tree, number) for number in range(size - len(records))]
    records.sort()
    return records


def _key_of(tree: TreeOf, customer: str) -> bytes:
    return hmac.digest(tree.secret, b"customer" + customer.encode(), "sha256")


def _opened(tree: TreeOf, customer: str, number: int) -> bytes:
    """What a commitment commits to, as JSON without white space."""
    return json_of([tree.day.isoformat(), tree.game, customer, number]).encode()


def _cut(tree: TreeOf, customer: str, total: Sums) -> Iterator[Sums]:
    """The sums of each share. Every way to cut a sum in cents is possible."""
    if min(total) < 0:
        raise ValueError(f"found {total} of a customer; needed sums that are not negative")
    key = _key_of(tree, customer)
    return map(Sums, *(_parts(key, place, cents) for place, cents in enumerate(total)))


def _parts(key: bytes, place: int, cents: int) -> list[int]:
    if cents == 0:  # most days correct nothing
        return [0] * SHARES
    drawn = hmac.digest(key, b"cuts" + bytes([place]), "sha512")
    cuts = sorted(
        int.from_bytes(drawn[first : first + _CUT]) * (cents + 1) >> 8 * _CUT
        for first in range(0, _CUT * (SHARES - 1), _CUT)
    )
    return [after - before for before, after in pairwise([0, *cuts, cents])]


def _filler(tree: TreeOf, number: int) -> bytes:
    """A leaf of nobody: it looks like a share of 0.00."""
    return NODE.pack(hmac.digest(tree.secret, b"filler" + number.to_bytes(8), "sha256"), *_NOTHING)
