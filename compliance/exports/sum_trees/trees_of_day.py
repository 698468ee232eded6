"""The sum trees of a closed day: each is made once and found the same ever after."""

import secrets
from collections.abc import Iterable, Iterator
from typing import Final

from compliance.exports.models import SumTree
from compliance.exports.scope import Snapshot
from compliance.exports.sum_trees.customer_sums import customer_sums
from compliance.exports.sum_trees.merkle_sum_tree import Sums, branches, levels
from compliance.exports.sum_trees.shares import TreeOf, leaves_of

_SECRET: Final = 32


class SumTreeChanged(Exception):
    """A stored tree differs from the day's bets: a second one is not made."""


def trees_of_day(snapshot: Snapshot) -> Iterator[tuple[SumTree, list[bytes]]]:
    """The tree of each game of a closed gaming day, with the records of its leaves.

    A tree that is not stored yet gets a new secret. Raises SumTreeChanged.
    """
    day = snapshot.of.first_day
    stored = {tree.game: tree for tree in SumTree.objects.filter(day=day)}
    for game, customers in customer_sums(snapshot):
        known = stored.get(game)
        secret = secrets.token_bytes(_SECRET) if known is None else bytes(known.secret)
        tree, leaves = make_tree(TreeOf(day, game, secret), customers)
        if known is None:
            yield tree, leaves
        elif known.to_json() == tree.to_json():
            yield known, leaves
        else:
            raise SumTreeChanged(f"found {tree.to_json()} of {tree}; needed {known.to_json()}")


def make_tree(of: TreeOf, customers: Iterable[tuple[str, Sums]]) -> tuple[SumTree, list[bytes]]:
    """The tree of these customers, not stored, and the records of its leaves."""
    leaves = leaves_of(of, customers)
    tops = branches(leaves)
    *_below, [root] = levels(tops)
    tree = SumTree(**of._asdict(), leaves=len(leaves), root=root, branches=b"".join(tops))
    return tree, leaves
