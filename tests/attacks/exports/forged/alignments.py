"""Forged days: registers, closings and their proofs that do not agree."""

import hashlib
import json
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.exports.verify_bundle import PROOF, compact, text_of_head, tlog_proof_of
from tests.attacks.exports.workshop import Arguments, Forged, Workshop
from tests.compliance.exports.decisions.signed_day import Line
from tests.compliance.exports.packed_bundles import MANIFEST
from tests.compliance.trail.logs import KEY, OTHER_KEY
from tests.payouts.gaming_days.day_scenarios import DAY

_ANOTHER_LEAF: Final = "00" * 32
_OTHER_KEY: Final = {"public_key": OTHER_KEY.public_key().public_bytes_raw().hex()}


def closing_of(shop: Workshop, of: str = "registers") -> Line:
    """The proof of the closing."""
    proof: Line = json.loads(shop.bundles[of].files[PROOF])["closings"][0]
    return proof


def with_closings(shop: Workshop, *closings: Line, base: str = "registers") -> Arguments:
    """The bundle with other proofs."""
    return shop.bundle({PROOF: json.dumps({"closings": closings}).encode()}, base)


def with_head(proof: Line, key: Ed25519PrivateKey = KEY, **head: Any) -> Line:
    """The proof with another head, which the log's key signs."""
    head = {**proof["head"], **head}
    forged = {**proof, "head": {**head, "signature": key.sign(text_of_head(head)).hex()}}
    return {**forged, "tlog_proof": tlog_proof_of(forged)}


def alone(proof: Line, record: list[Any] | None = None, **parts: Any) -> Line:
    """The record, or another one, as the only one of a tree that the log's key signs."""
    text = proof["record"] if record is None else compact(record).decode()
    root = hashlib.sha256(b"\0" + text.encode()).hexdigest()
    head = {"size": 1, "root": root, **parts.pop("head", {})}
    return with_head({**proof, "record": text, "leaf_index": 0, "path": [], **parts}, **head)


def _job(shop: Workshop, **other: Any) -> Line:
    """A closing by the nightly job, which needs no signature; ``other`` replaces parts."""
    at, _actor, _account, _action, subject, details = json.loads(closing_of(shop)["record"])
    said = {"action": "DAY_CLOSED", "subject": subject, "details": details, **other}
    return alone(closing_of(shop), [at, "nightly job", None, *said.values()])


def _with_other_totals(shop: Workshop) -> Line:
    details = json.loads(closing_of(shop)["record"])[-1]
    details["totals"]["all"]["held_cents"] = 100
    return _job(shop, details=details)


def _with_one_node_more(shop: Workshop) -> Line:
    leaf = bytes.fromhex(alone(closing_of(shop))["head"]["root"])
    root = hashlib.sha256(b"\1" + bytes.fromhex(_ANOTHER_LEAF) + leaf).hexdigest()
    return alone(closing_of(shop), path=[_ANOTHER_LEAF], head={"root": root})


def _of_blackjack(shop: Workshop) -> Arguments:
    """The registers of baccarat as those of another game, of which the closing has nothing."""
    of = json.loads(shop.bundles["registers"].files[MANIFEST])["of"]
    return shop.bundle({}, of={**of, "game": "blackjack"})


DAYS: Final = {
    "with another alignment": Forged(
        "the daily alignment says 6700",
        lambda shop: shop.recounted(("alignment", ";6600;0;2200;", ";6700;0;2200;")),
    ),
    "with another alignment of corrections": Forged(
        "the daily alignment says 100",
        lambda shop: shop.recounted(("alignment", ";0;0;0;0;0\n", ";0;0;0;0;100\n")),
    ),
    "with other stages than were closed": Forged(
        "the registers give 2 stages",
        lambda shop: shop.recounted(("alignment", ";baccarat/1;3;", ";baccarat/1;2;")),
    ),
    "of another game than was closed": Forged("the closing 0 rounds", _of_blackjack),
    "without its closing": Forged(
        "the proofs are of the closings of []", lambda shop: with_closings(shop, base="reports")
    ),
    "with another record than a closing": Forged(
        "not of the closing of a day",
        lambda shop: with_closings(shop, _job(shop, action="DAY_NOTED")),
    ),
    "with the closing of no day": Forged(
        "not of the closing of a day",
        lambda shop: with_closings(shop, _job(shop, subject=f"week:{DAY}")),
    ),
    "with other totals in its closing": Forged(
        "the totals of the closing do not match",
        lambda shop: with_closings(shop, _with_other_totals(shop)),
    ),
    "with a head that nobody signed": Forged(
        "the signature of the tree head is invalid",
        lambda shop: with_closings(shop, {**with_head(closing_of(shop), OTHER_KEY)}),
    ),
    "with another proof for other programs": Forged(
        "the tlog-proof of the audit record",
        lambda shop: with_closings(shop, {**closing_of(shop), "tlog_proof": "index 0\n"}),
    ),
    "with a head of another key than it names": Forged(
        "the key of the tree head differs",
        lambda shop: with_closings(shop, with_head({**closing_of(shop), **_OTHER_KEY}, OTHER_KEY)),
    ),
    "for another key of the log": Forged(
        "is signed by the key", lambda shop: ["--log-key", "0" * 64, *shop.bundle({})]
    ),
    "with a closing that is not in the log": Forged(
        "is not in the signed tree",
        lambda shop: with_closings(
            shop, {**_job(shop), "head": closing_of(shop)["head"], "path": closing_of(shop)["path"]}
        ),
    ),
    "with a closing before the first record": Forged(
        "the proof is of leaf -1",
        lambda shop: with_closings(shop, alone(closing_of(shop), leaf_index=-1)),
    ),
    "with a closing after the last record": Forged(
        "the proof is of leaf 1 in a tree of 1",
        lambda shop: with_closings(shop, alone(closing_of(shop), leaf_index=1)),
    ),
    "with a longer path than its tree has": Forged(
        "the proof of the record is too long",
        lambda shop: with_closings(shop, _with_one_node_more(shop)),
    ),
    "with a shorter path than its tree has": Forged(
        "the proof of the record is too short",
        lambda shop: with_closings(shop, alone(closing_of(shop), head={"size": 2})),
    ),
}
