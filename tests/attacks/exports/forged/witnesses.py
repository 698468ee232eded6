"""Forged signatures of witnesses, and wrong policies about them."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.exports.verify_bundle import text_of_head, tlog_proof_of
from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.witnesses.cosignatures import Cosignature, WitnessKey
from tests.attacks.exports.forged.alignments import closing_of, with_closings
from tests.attacks.exports.workshop import Arguments, Forged, Workshop
from tests.compliance.exports.decisions.signed_day import Line
from tests.compliance.trail.logs import KEY, OTHER_KEY

_AT: Final = 1_795_800_000
_SIGNERS: Final = {
    name: Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32)) for name in ("one", "two")
}
_WITNESSES: Final = {
    name: WitnessKey(f"{name}.example/witness", raw_key(key.public_key()))
    for name, key in _SIGNERS.items()
}
_LOG, _ANOTHER_LOG = (
    f"log {verifier_key('demo.invalid/log', raw_key(key.public_key()))}\n"
    for key in (KEY, OTHER_KEY)
)
_LINES: Final = "".join(f"witness {name} {key}\n" for name, key in _WITNESSES.items())
_BOTH: Final = f"# both\n{_LINES}group both all one two\nquorum both\n"


def _line(proof: Line, name: str, signer: str = "", *, head: Line | None = None) -> str:
    """What a witness signs about a head, and ``signer`` in its place."""
    said = f"cosignature/v1\ntime {_AT}\n".encode() + text_of_head(head or proof["head"])
    return Cosignature(_WITNESSES[name], _AT, _SIGNERS[signer or name].sign(said)).line


def cosigned(proof: Line, *lines: str) -> Line:
    """The proof with lines of witnesses, and the file for other programs that says the same."""
    made = {**proof, "cosignatures": list(lines)}
    return {**made, "tlog_proof": tlog_proof_of(made)}


def by_both(proof: Line) -> Line:
    """The proof with both signatures."""
    return cosigned(proof, _line(proof, "one"), _line(proof, "two"))


def _with(shop: Workshop, change: Callable[[Line], Line], policy: str = _BOTH) -> Arguments:
    """The bundle with other proofs, verified by this policy."""
    return [
        "--policy",
        shop.file("policy", policy.encode()),
        *with_closings(shop, change(closing_of(shop))),
    ]


def _by_policy(policy: str) -> Callable[[Workshop], Arguments]:
    """The bundle that both witnesses cosigned, by another policy."""
    return lambda shop: _with(shop, by_both, policy)


def _of_another_head(proof: Line) -> Line:
    other = {**proof["head"], "at": proof["head"]["at"] + 1}
    return cosigned(proof, _line(proof, "one"), _line(proof, "two", head=other))


def _dossier(shop: Workshop, change: Callable[[Line], Line]) -> Arguments:
    def changed(content: Any) -> None:
        content["proofs"] = [change(proof) for proof in content["proofs"]]

    return ["--policy", shop.file("policy", _BOTH.encode()), *shop.dossier(change=changed)]


def _record(shop: Workshop, change: Callable[[Line], Line], policy: str) -> Arguments:
    """A receipt without the log's key: the policy names it."""
    receipt = {**shop.receipt, "records": list(map(change, shop.receipt["records"]))}
    file = shop.file("receipt.json", json.dumps(receipt).encode())
    return ["--policy", shop.file("policy", policy.encode()), file]


def _typed(octets: bytes) -> str:
    """A witness whose key has these bytes."""
    short_id = hashlib.sha256(b"ten\n" + octets).hexdigest()[:8]
    return f"witness ten ten+{short_id}+{base64.b64encode(octets).decode()}\nquorum ten\n"


_ONE: Final = _WITNESSES["one"]
_MISNAMED: Final = f"witness one {_ONE}\nquorum one\n".replace(_ONE.short_id.hex(), "0" * 8)
GENUINE_WITNESSED: Final[dict[str, Callable[[Workshop], Arguments]]] = {
    "cosigned bundle": _by_policy(f"{_LOG}{_BOTH}"),
    "cosigned bundle, more witnesses than needed": _by_policy(f"{_LINES}quorum two\n"),
    "cosigned bundle, by one group in another": _by_policy(
        f"{_LINES}group a any one\ngroup b 2 a two\nquorum b\n"
    ),
    "cosigned bundle, a witness unknown": _by_policy(
        f"witness one {_WITNESSES['one']} https://one.example\nquorum one\n"
    ),
    "cosigned bundle, without a policy": lambda shop: with_closings(
        shop, by_both(closing_of(shop))
    ),
    "bundle by a policy that needs nobody": lambda shop: _with(shop, dict, "quorum none\n"),
    "cosigned dossier": lambda shop: _dossier(shop, by_both),
    "cosigned receipt": lambda shop: _record(shop, by_both, f"{_LOG}{_BOTH}"),
}
WITNESSED: Final = {
    "cosigned by nobody": Forged(
        "is cosigned by no witness of the policy, not enough", lambda shop: _with(shop, dict)
    ),
    "cosigned by fewer than needed": Forged(
        "is cosigned by one, not enough",
        lambda shop: _with(shop, lambda proof: cosigned(proof, _line(proof, "one"))),
    ),
    "cosigned twice by the same": Forged(
        "is cosigned by one, not enough",
        lambda shop: _with(shop, lambda proof: cosigned(proof, *[_line(proof, "one")] * 2)),
    ),
    "cosigned by fewer of a group than needed": Forged(
        "is cosigned by one, two, not enough",
        _by_policy(
            f"{_LINES}witness three {WitnessKey('three.example', bytes(32))}\n"
            "group g all one two three\nquorum g\n"
        ),
    ),
    "cosigned by another than needed": Forged(
        "is cosigned by one, not enough",
        lambda shop: _with(
            shop, lambda proof: cosigned(proof, _line(proof, "one")), f"{_LINES}quorum two\n"
        ),
    ),
    "cosigned in another head": Forged(
        "the signature of the witness two.example/witness is invalid",
        lambda shop: _with(shop, _of_another_head),
    ),
    "cosigned by another key": Forged(
        "the signature of the witness two.example/witness is invalid",
        lambda shop: _with(
            shop, lambda it: cosigned(it, _line(it, "one"), _line(it, "two", "one"))
        ),
    ),
    "cosigned under another name": Forged(
        "is cosigned by one, not enough",
        lambda shop: _with(
            shop,
            lambda it: cosigned(it, _line(it, "one"), _line(it, "one").replace("one.", "two.")),
        ),
    ),
    "cosigned by the key under another name": Forged(
        "is cosigned by one, not enough",
        lambda shop: _with(
            shop,
            lambda it: cosigned(it, _line(it, "one"), _line(it, "two").replace("two.", "ten.")),
        ),
    ),
    "cosigned in a line that is none": Forged(
        "among the cosignatures",
        lambda shop: with_closings(
            shop, cosigned(closing_of(shop), _line(closing_of(shop), "one").replace("—", "-"))
        ),
    ),
    "cosigned but not in the file for other programs": Forged(
        "the tlog-proof of the audit record",
        lambda shop: _with(
            shop, lambda it: {**by_both(it), "tlog_proof": closing_of(shop)["tlog_proof"]}
        ),
    ),
    "signed by another log than that of the policy": Forged(
        "of no log of the policy", _by_policy(f"{_ANOTHER_LOG}{_BOTH}")
    ),
    "dossier cosigned in a line that is none": Forged(
        "among the cosignatures",
        lambda shop: _dossier(shop, lambda it: cosigned(it, "- one A\n"))[2:],
    ),
    "receipt cosigned in a line that is none": Forged(
        "among the cosignatures",
        lambda shop: shop.record(
            {
                **shop.receipt,
                "records": [cosigned(it, "- one A\n") for it in shop.receipt["records"]],
            }
        ),
    ),
    "dossier cosigned by nobody": Forged(
        "is cosigned by no witness", lambda shop: _dossier(shop, dict)
    ),
    "receipt cosigned by nobody": Forged(
        "is cosigned by no witness", lambda shop: _record(shop, dict, f"{_LOG}{_BOTH}")
    ),
    "receipt of a log that the policy does not name": Forged(
        "NOT PROVED", lambda shop: _record(shop, by_both, _BOTH)
    ),
    "policy that cannot be read": Forged(
        "/nowhere cannot be read", lambda shop: ["--policy", "/nowhere", *shop.bundle({})]
    ),
    "policy without a quorum": Forged("has no line quorum", _by_policy(_LINES)),
    "policy with two quorums": Forged(
        "has the wrong line quorum two", _by_policy(f"{_LINES}quorum one\nquorum two\n")
    ),
    "policy with a quorum of nothing known": Forged(
        "has the wrong line quorum ten", _by_policy(f"{_LINES}quorum ten\n")
    ),
    "policy with a long line": Forged(
        "has the wrong line quorum one two", _by_policy(f"{_LINES}quorum one two\n")
    ),
    "policy with a name twice": Forged(
        "has the wrong line group one", _by_policy(f"{_LINES}group one any two\nquorum one\n")
    ),
    "policy with a witness twice": Forged(
        "has the wrong line witness one", _by_policy(f"{_LINES}{_LINES}quorum one\n")
    ),
    "policy with a line of another kind": Forged(
        "has the wrong line allow one", _by_policy(f"{_LINES}allow one\nquorum one\n")
    ),
    "policy with a log without its key": Forged(
        "has the wrong line log", _by_policy(f"log\n{_LINES}quorum one\n")
    ),
    "policy with a witness without its key": Forged(
        "has the wrong line witness ten", _by_policy(f"witness ten\n{_LINES}quorum one\n")
    ),
    "policy with a group of nobody": Forged(
        "has the wrong line group g", _by_policy(f"{_LINES}group g\nquorum g\n")
    ),
    "policy with a group of too many": Forged(
        "has the wrong group g", _by_policy(f"{_LINES}group g 3 one two\nquorum g\n")
    ),
    "policy with a group of none": Forged(
        "has the wrong group g", _by_policy(f"{_LINES}group g 0 one two\nquorum g\n")
    ),
    "policy with a member of two groups": Forged(
        "has the wrong group h", _by_policy(f"{_LINES}group g any one\ngroup h any one\nquorum h\n")
    ),
    "policy with the same key twice": Forged(
        "has the same key for two witnesses",
        _by_policy(f"{_LINES}witness ten {_WITNESSES['one']}\nquorum one\n"),
    ),
    "policy with the key of the log as that of a witness": Forged(
        "no verifier key of this kind",
        _by_policy(f"log {WitnessKey('demo.invalid/log', raw_key(KEY.public_key()))}\n{_BOTH}"),
    ),
    "policy with another id of a key": Forged(
        "no verifier key of this kind", _by_policy(_MISNAMED)
    ),
    "policy with a key that is too short": Forged(
        "no verifier key of this kind", _by_policy(_typed(b"\4" + bytes(31)))
    ),
}
