"""Forged sum trees and proofs of a customer: left out, counted less, or counted elsewhere."""

import hashlib
import json
import struct
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, Final

from compliance.exports.verify_bundle import compact
from tests.attacks.exports.forged.alignments import alone
from tests.attacks.exports.workshop import LEAVES, Arguments, Forged, Workshop
from tests.compliance.exports.decisions.signed_day import Line
from tests.compliance.exports.exported_days import contents
from tests.compliance.exports.packed_bundles import MANIFEST
from tests.payouts.gaming_days.day_scenarios import DAY

GAME: Final = "baccarat"
_SUMS: Final = (
    *("stakes_cents", "winnings_cents"),
    *("reversed_stakes_cents", "reversed_winnings_cents"),
)
_NODE: Final = struct.Struct(">32s4q")
_Leaf = tuple[bytes, list[int]]


def total_of(leaves: list[_Leaf]) -> Line:
    """What a manifest says about the tree of these leaves, computed without Sabot."""
    nodes = [
        (hashlib.sha256(b"\0" + _NODE.pack(commitment, *sums)).digest(), sums)
        for commitment, sums in leaves
    ]
    while len(nodes) > 1:
        pairs = list(pairwise(nodes))[::2]
        nodes = [
            (
                hashlib.sha256(b"\1" + _NODE.pack(a, *left) + _NODE.pack(b, *right)).digest(),
                [x + y for x, y in zip(left, right, strict=True)],
            )
            for (a, left), (b, right) in pairs
        ]
    [(digest, sums)] = nodes
    return {"leaves": len(leaves), "root": digest.hex(), **dict(zip(_SUMS, sums, strict=True))}


def leaves_in(content: bytes) -> list[_Leaf]:
    """The leaves of a file."""
    return [(commitment, sums) for commitment, *sums in _NODE.iter_unpack(content)]


def _with_leaves(shop: Workshop, change: Callable[[list[_Leaf]], object]) -> Arguments:
    """The bundle with changed leaves, and the root that they give."""
    leaves = leaves_in(shop.bundles["totals"].files[LEAVES])
    change(leaves)
    content = b"".join(_NODE.pack(commitment, *sums) for commitment, sums in leaves)
    return shop.bundle({LEAVES: content}, "totals", totals={GAME: total_of(leaves)})


def _hide_stakes(leaves: list[_Leaf]) -> None:
    """A share is left out."""
    [first, *_others] = [sums for _commitment, sums in leaves if sums[0]]
    first[0] = 0


def _balance_stakes(leaves: list[_Leaf]) -> None:
    """One share has more than there is, another one less than nothing."""
    leaves[0][1][0] += 10**6
    leaves[1][1][0] -= 10**6


def _swap(leaves: list[_Leaf]) -> None:
    leaves[0], leaves[1] = leaves[1], leaves[0]


def _with_another_root(shop: Workshop) -> Arguments:
    total = _total_of(shop)
    return shop.bundle({}, "totals", totals={GAME: {**total, "root": "00" * 32}})


def _with_a_leaf_more(shop: Workshop) -> Arguments:
    content = shop.bundles["totals"].files[LEAVES]
    return shop.bundle({LEAVES: content + content[-_NODE.size :]}, "totals")


def _with_less_tax(shop: Workshop) -> Arguments:
    row = shop.bundles["totals"].files["registers/tax_base.csv"].decode().splitlines()[1]
    *others, base, rate, tax = row.split(";")
    lower = ";".join([*others, str(int(base) - 100), rate, tax])
    return shop.recounted(("tax_base", row, lower), base="totals")


def _total_of(shop: Workshop) -> Line:
    total: Line = json.loads(shop.bundles["totals"].files[MANIFEST])["totals"][GAME]
    return total


def _chain(shop: Workshop, base: str, **manifest: Any) -> Arguments:
    """The totals of the day, and after them another bundle."""
    first = shop.bundles["totals"].changed({})
    digest = hashlib.sha256(contents(first)[MANIFEST]).hexdigest()
    place = {"number": 1, "manifest_sha256": digest}
    return [*shop.bundle({}, base, number=2, previous=place, **manifest), str(first)]


def _with_a_second_tree(shop: Workshop) -> Arguments:
    """Another tree of the same day, with other commitments and the same sums."""
    leaves = leaves_in(shop.bundles["totals"].files[LEAVES])
    others = [(hashlib.sha256(commitment).digest(), sums) for commitment, sums in leaves]
    others.sort(key=lambda leaf: leaf[0])
    content = b"".join(_NODE.pack(commitment, *sums) for commitment, sums in others)
    first = shop.bundles["totals"].changed({})
    digest = hashlib.sha256(contents(first)[MANIFEST]).hexdigest()
    place = {"number": 1, "manifest_sha256": digest}
    second = shop.bundle(
        {LEAVES: content}, "totals", number=2, previous=place, totals={GAME: total_of(others)}
    )
    return [*second, str(first)]


def _with_share(shop: Workshop, **parts: Any) -> Arguments:
    """The customer's proof with a changed first share."""
    proof = json.loads(json.dumps(shop.totals))
    proof["games"][0]["shares"][0] |= parts
    return shop.record(proof)


def _moved(shop: Workshop, places: int) -> Arguments:
    [share, *_others] = shop.totals["games"][0]["shares"]
    return _with_share(shop, leaf=share["leaf"] + places)


def _made_up(shop: Workshop, *, day: str = str(DAY), **record: Any) -> Arguments:
    """A proof by a tree of one leaf in a record that the operator writes into the log."""
    sums = [1000, 0, 0, 0]
    nonce = bytes(32)
    opened = nonce + compact([day, GAME, "p-2", 1])
    leaf = (hashlib.sha256(b"\2" + opened).digest(), sums)
    share = {"nonce": nonce.hex(), "leaf": 0, "path": []}
    share |= dict(zip(_SUMS, sums, strict=True))
    at, actor, account, action, subject, details = json.loads(shop.totals["record"]["record"])
    details["totals"] = {GAME: total_of([leaf])}
    said = {"action": action, "subject": subject, "details": details, **record}
    forged = alone(shop.totals["record"], [at, actor, account, *said.values()])
    games = [{"game": GAME, "shares": [share]}]
    return shop.record({**shop.totals, "day": day, "games": games, "record": forged})


GENUINE_TOTALS: Final[dict[str, Callable[[Workshop], Arguments]]] = {
    "bundle with its sum tree": lambda shop: shop.bundle({}, "totals"),
    "proof of a customer": lambda shop: shop.record(shop.totals),
    "proof of a customer in a tree of one leaf": _made_up,
    "two bundles with one sum tree": partial(_chain, base="totals"),
}
TOTALS: Final = {
    "with a sum tree that leaves a share out": Forged(
        "the sum tree of baccarat gives", partial(_with_leaves, change=_hide_stakes)
    ),
    "with a sum tree of negative stakes": Forged(
        "has a negative sum", partial(_with_leaves, change=_balance_stakes)
    ),
    "with a sum tree in another order": Forged(
        "is not in ascending order", partial(_with_leaves, change=_swap)
    ),
    "with another root of its sum tree": Forged("was computed as", _with_another_root),
    "with a leaf more than its sum tree": Forged("needed 8 leaves", _with_a_leaf_more),
    "with less tax base than its registers": Forged("the tax base is stated as", _with_less_tax),
    "without its sum tree after one with it": Forged(
        "has no totals, but the one before it has", partial(_chain, base="registers")
    ),
    "with a second sum tree of the day": Forged("has another sum tree", _with_a_second_tree),
    "proof of a customer by another record": Forged(
        "does not state the totals", partial(_made_up, action="DAY_NOTED")
    ),
    "proof of a customer on another day": Forged(
        "does not state the totals", partial(_made_up, day="2026-11-09")
    ),
    "proof of a customer without games": Forged(
        "has no share of p-2", lambda shop: shop.record({**shop.totals, "games": []})
    ),
    "proof of a customer without shares": Forged(
        "has no share of p-2",
        lambda shop: shop.record({**shop.totals, "games": [{"game": GAME, "shares": []}]}),
    ),
    "proof of a customer outside the tree": Forged(
        "share 1 is leaf", lambda shop: _moved(shop, _total_of(shop)["leaves"])
    ),
    "proof of a customer who is counted less": Forged(
        "was computed as", partial(_with_share, stakes_cents=0)
    ),
    "proof of a customer for another one": Forged(
        "was computed as", lambda shop: shop.record({**shop.totals, "customer": "p-1"})
    ),
    "proof of a customer at another place": Forged(
        "was computed as", lambda shop: _moved(shop, _other_way(shop))
    ),
}


def _other_way(shop: Workshop) -> int:
    """From the customer's first leaf to the one next to it."""
    leaf: int = shop.totals["games"][0]["shares"][0]["leaf"]
    return 1 - 2 * (leaf % 2)
