"""Proves to a customer that the totals of a day count him, and tells nothing about others.

The regulator's ``verify_bundle.py`` verifies the proof, and so can anybody by
``docs/regulator/daily-totals.md``.
"""

import struct
import zipfile
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from compliance.exports.models import Bundle, SumTree
from compliance.exports.sum_trees.leaf_file import LeafFile, open_leaves
from compliance.exports.sum_trees.merkle_sum_tree import (
    BRANCH_LEAVES,
    NODE,
    leaf_node,
    node_of,
    path_in,
)
from compliance.exports.sum_trees.shares import SHARES, Share, TreeOf, shares_of
from compliance.trail.log.proofs import prove_record
from compliance.trail.queries import records_of

TOTALS: Final = "sabot totals/1"
"""The format of the proofs."""
_DAMAGED: Final = (OSError, LookupError, ValueError, struct.error, zipfile.BadZipFile)


class NotCounted(Exception):
    """The day has no sum trees, or no share of the customer in them."""


class LeavesChanged(Exception):
    """The leaves in the bundle's file are missing, or do not give the root that was recorded."""


def prove_totals(customer: str, day: date) -> dict[str, Any]:
    """The customer's shares in each game of a closed day, with their paths to the roots.

    The roots are in the audit record of the latest bundle of the day, which the proof includes with
    its place in the signed log. Raises NotCounted, LeavesChanged, and NotInLog while the record is
    not in the log.
    """
    bundle = _bundle_of(day)
    record = records_of(f"bundle:{bundle.number}").get(action="DAY_EXPORTED")
    games = list(_games(bundle, record.details.get("totals", {}), customer))
    if not games:
        raise NotCounted(f"found no share of {customer} in the totals of {day}; needed some")
    return {
        "totals": TOTALS,
        "customer": customer,
        "day": day.isoformat(),
        "games": games,
        "record": prove_record(record.pk),
    }


def _bundle_of(day: date) -> Bundle:
    """The latest bundle of all games of a closed day."""
    filters = dict.fromkeys(("game", "table", "rules", "customer"), "")
    bundles = Bundle.objects.filter(
        day=day,
        first_day=None,
        kind=Bundle.Kind.CLOSED_DAY,
        contents=Bundle.Contents.REGISTERS,
        **filters,
    )
    bundle = bundles.order_by("-number").first()
    if bundle is None:
        raise NotCounted(f"found no bundle of {day}; needed one of the closed day")
    return bundle


def _games(bundle: Bundle, totals: dict[str, Any], customer: str) -> Iterator[dict[str, Any]]:
    for tree in SumTree.objects.filter(day=bundle.day, game__in=totals).order_by("game"):
        if tree.to_json() != totals[tree.game]:
            raise LeavesChanged(f"found another sum tree of {tree}; needed the recorded one")
        shares = shares_of(TreeOf(tree.day, tree.game, bytes(tree.secret)), customer)
        try:
            with open_leaves(bundle, tree.game) as leaves:
                counted = list(_counted(tree, leaves, shares))
        except _DAMAGED as error:
            raise LeavesChanged(f"found no leaves of {tree}: {error}") from error
        if len(counted) not in (0, SHARES):
            raise LeavesChanged(f"found {len(counted)} shares in {tree}; needed {SHARES} or none")
        if counted:
            yield {"game": tree.game, "shares": counted}


def _counted(tree: SumTree, leaves: LeafFile, shares: list[Share]) -> Iterator[dict[str, Any]]:
    """Those of the shares that are in the tree."""
    packed = bytes(tree.branches)
    tops = [packed[at : at + NODE.size] for at in range(0, len(packed), NODE.size)]
    for share in shares:
        place = leaves.place_of(share.commitment)
        if place is not None:
            branch, within = divmod(place, BRANCH_LEAVES)
            records = leaves.records(branch * BRANCH_LEAVES, BRANCH_LEAVES)
            lower, top = path_in(list(map(leaf_node, records)), within)
            upper, root = path_in([*tops[:branch], top, *tops[branch + 1 :]], branch)
            if root != bytes(tree.root):
                raise LeavesChanged(f"found changed leaves of {tree}; needed those of its root")
            yield {
                "nonce": share.nonce.hex(),
                "leaf": place,
                **node_of(records[within]).sums._asdict(),
                "path": [_sibling(node) for node in (*lower, *upper)],
            }


def _sibling(packed: bytes) -> dict[str, Any]:
    digest, sums = node_of(packed)
    return {"digest": digest.hex(), **sums._asdict()}
