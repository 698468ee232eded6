"""Forged dossiers, proofs, receipts and chains of bundles."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from compliance.exports.verify_bundle import KEYS
from tests.attacks.exports.forged.alignments import alone
from tests.attacks.exports.forged.settlements import GONE
from tests.attacks.exports.forged.statements import restated, said_in
from tests.attacks.exports.workshop import DOSSIER, DOSSIER_SIGNATURE, Arguments, Forged, Workshop
from tests.compliance.exports.certificate_authorities import authority, named
from tests.compliance.exports.decisions.signed_day import Line
from tests.compliance.exports.exported_days import contents
from tests.compliance.exports.packed_bundles import MANIFEST
from tests.payouts.settlement.resettlement_scenarios import LORENZO
from tests.signers import FirstKey


def _photo_of(shop: Workshop) -> tuple[str, bytes]:
    [photo] = [
        (name, content)
        for name, content in shop.dossiers["regulator"].items()
        if name.startswith("evidence/")
    ]
    return photo


def _renamed_photo(shop: Workshop) -> Arguments:
    name, content = _photo_of(shop)
    return shop.dossier(files={name: None, "photo.png": content})


def _by_a_stranger(shop: Workshop) -> Arguments:
    stranger = authority(named("Another authority")).certify("Stranger")
    content = shop.dossiers["regulator"][DOSSIER]
    return shop.dossier(files={DOSSIER: content, DOSSIER_SIGNATURE: stranger.sign(content)})


def _with_proof(shop: Workshop, change: Callable[[Line], Line]) -> Arguments:
    def changed(content: Line) -> None:
        content["proofs"] = [change(proof) for proof in content["proofs"]]

    return shop.dossier(change=changed)


def _with_another_record(proof: Line) -> Line:
    return proof | {"record": proof["record"].replace("DISPUTE_", "NOTE_")}


def _with_other_effect(content: Line) -> None:
    assert isinstance(LORENZO.signer, FirstKey)
    key = LORENZO.signer.key
    content["signatures"] = [
        restated(line, key, details={"effect_digest": "00" * 32})
        if said_in(line)["action"] == "CASE_APPROVED"
        else line
        for line in content["signatures"]
    ]


def _with_other_reasons(content: Line) -> None:
    for step in content["steps"]:
        if step["action"] == "upheld":
            step["note"] = "No reasons."


def _of_the_earlier_format(content: Line) -> None:
    content["format"] = "sabot-dossier/1"


def _with_list(shop: Workshop) -> Arguments:
    path = shop.file("persons.txt", b"0" * 64)
    return ["--keys", path, *shop.dossier("customer")]


def _without_period(content: Line) -> None:
    for key in content["signing_keys"]:
        del key["in_force_from"]


def _proof(shop: Workshop, **parts: Any) -> Line:
    return {**shop.proof, **parts}


def _unsigned(shop: Workshop, **parts: Any) -> Line:
    proof = _proof(shop, **parts)
    del proof["decision"], proof["signing_keys"]
    return proof


def _of_another_record(shop: Workshop) -> Line:
    """The signature of what was decided, with a record that says otherwise and is in the log."""
    record = json.loads(shop.proof["record"])
    record[1] = "Elena Conti"
    return alone(shop.proof, record)


def _after_another(shop: Workshop) -> Arguments:
    """The operator wrote the bundle of before once more."""
    return [*_chained(shop)[:-1], shop.bundle({}, software={})[-1]]


def _back_in_the_earlier_format(shop: Workshop) -> Arguments:
    return _chain(shop, GONE, format="sabot-bundle/1")


def _chain(shop: Workshop, changes: Mapping[str, bytes | None], **manifest: Any) -> Arguments:
    """The registers, and after them the reports with these changes."""
    first = shop.bundles["registers"].changed({})
    digest = hashlib.sha256(contents(first)[MANIFEST]).hexdigest()
    place = {"number": 1, "manifest_sha256": digest}
    return [*shop.bundle(changes, "reports", previous=place, **manifest), str(first)]


def _unchanged(shop: Workshop, of: str) -> Arguments:
    return shop.bundle({}, of)


def _chained(shop: Workshop) -> Arguments:
    """The registers, and the reports that name their manifest."""
    return _chain(shop, {})


GENUINE: Final[dict[str, Callable[[Workshop], Arguments]]] = {
    **{f"bundle: {of}": partial(_unchanged, of=of) for of in ("registers", "reports", "customer")},
    **{f"dossier: {of}": partial(Workshop.dossier, of=of) for of in ("regulator", "customer")},
    "chain": _chained,
    "proof": lambda shop: shop.record(shop.proof),
    "receipt": lambda shop: shop.record(shop.receipt),
}
DOSSIERS: Final = {
    "dossier by a stranger": Forged("is not signed by one of the keys given", _by_a_stranger),
    "dossier changed after its signature": Forged(
        "the signature of the manifest is invalid",
        lambda shop: shop.dossier(files={DOSSIER: shop.dossiers["regulator"][DOSSIER] + b"\n"}),
    ),
    "dossier without its signature": Forged(
        "cannot be read", lambda shop: shop.dossier(files={DOSSIER_SIGNATURE: None})
    ),
    "dossier without a signer": Forged("NOT PROVED: the dossier", lambda shop: shop.dossier()[-1:]),
    "dossier with a file more": Forged(
        "files that are not in the dossier", lambda shop: shop.dossier(files={"more.txt": b"x"})
    ),
    "dossier with its photo elsewhere": Forged("files that are not in the dossier", _renamed_photo),
    "dossier with another photo": Forged(
        "the evidence is not that of the dossier",
        lambda shop: shop.dossier(files={_photo_of(shop)[0]: b"another"}),
    ),
    "dossier with a record that is not in the log": Forged(
        "is not in the signed tree", lambda shop: _with_proof(shop, _with_another_record)
    ),
    "dossier for another key of the log": Forged(
        "is signed by the key", lambda shop: ["--log-key", "0" * 64, *shop.dossier()]
    ),
    "dossier with other keys than it signs": Forged(
        "signing_keys.jsonl differs from the signed file",
        lambda shop: shop.dossier(files={KEYS: b""}),
    ),
    "dossier of the earlier format on a later day": Forged(
        "the dossier carries no signatures",
        lambda shop: ["--signed-since", "2026-11-01", *shop.dossier(change=_of_the_earlier_format)],
    ),
    "dossier with other reasons": Forged(
        "its person did not sign this text", lambda shop: shop.dossier(change=_with_other_reasons)
    ),
    "dossier of a case with two effects": Forged(
        "signed different effects", lambda shop: shop.dossier(change=_with_other_effect)
    ),
    "dossier by a key that is not in the list": Forged(
        "has no approval here and is not in --keys", _with_list
    ),
    "dossier by a key of no time": Forged(
        "was approved by nobody", lambda shop: shop.dossier("customer", _without_period)
    ),
}
RECORDS: Final = {
    "proof that is no JSON": Forged("cannot be read", lambda shop: [shop.file("proof.json", b"{")]),
    "proof without a key of the log": Forged(
        "NOT PROVED: 1 records", lambda shop: shop.record(shop.proof)[-1:]
    ),
    "proof for another key of the log": Forged(
        "is signed by the key", lambda shop: ["--log-key", "0" * 64, shop.record(shop.proof)[-1]]
    ),
    "proof of another record": Forged(
        "is not in the signed tree",
        lambda shop: shop.record(
            _unsigned(shop, record=shop.proof["record"].replace("DISPUTE_", "NOTE_"))
        ),
    ),
    "proof with the signature of another decision": Forged(
        "contains the signature of another decision",
        lambda shop: shop.record(_of_another_record(shop)),
    ),
    "proof without the signature": Forged(
        "its person did not sign it", lambda shop: shop.record(_unsigned(shop))
    ),
    "proof of the earlier format on a later day": Forged(
        "its person did not sign it",
        lambda shop: [
            *("--signed-since", "2026-11-01"),
            *shop.record(_unsigned(shop, proof="sabot inclusion/1")),
        ],
    ),
}
CHAINS: Final = {
    "after another bundle": Forged(
        "its manifest differs",
        _after_another,
    ),
    "with a bundle of another chain": Forged(
        "are not in the chain of this bundle",
        lambda shop: [*shop.bundle({}), shop.bundle({}, "reports")[-1]],
    ),
    "with a number that nothing precedes": Forged(
        "bundle 5 has no previous bundle", lambda shop: shop.bundle({}, number=5)
    ),
    "back in the earlier format": Forged(
        "has no signatures, but the one before it has", _back_in_the_earlier_format
    ),
}
