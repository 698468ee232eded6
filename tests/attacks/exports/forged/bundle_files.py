"""Forged files: seal, signature, manifest and registers that it does not describe."""

import json
from pathlib import Path
from typing import Final

from tests.attacks.exports.workshop import Arguments, Files, Forged, Workshop
from tests.compliance.exports.certificate_authorities import authority, named, write_pem
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE
from tests.compliance.exports.verifier_runs import sign

_BETS: Final = "registers/bets.csv"
_LARGE_WINS: Final = "registers/large_wins.csv"


def files_of(shop: Workshop, of: str = "registers") -> Files:
    """The files of a genuine bundle."""
    return dict(shop.bundles[of].files)


def _with_another_seal(shop: Workshop) -> Arguments:
    *options, path = shop.repacked(files_of(shop))
    content = Path(path).read_bytes()
    return [
        *options,
        shop.file("damaged.zip", content[:-1] + (b"1" if content[-1:] == b"0" else b"0")),
    ]


def _by_a_stranger(shop: Workshop, *, is_named: bool) -> Arguments:
    stranger = authority(named("Another authority")).certify("Stranger")
    files = files_of(shop)
    if is_named:
        manifest = json.loads(files[MANIFEST]) | {"key_id": stranger.key_id}
        files[MANIFEST] = json.dumps(manifest).encode()
    return shop.repacked(sign(files, stranger))


def _with_signature(shop: Workshop, signature: bytes) -> Arguments:
    return shop.repacked({**files_of(shop), SIGNATURE: signature})


def _of_indefinite_length(shop: Workshop) -> bytes:
    """The signature in BER, which openssl reads: its end is marked, not its length stated."""
    genuine = files_of(shop)[SIGNATURE]
    return b"\x30\x80" + genuine[2 + (genuine[1] & 0x7F) :] + b"\0\0"


def _with_certificate(shop: Workshop, content: str | None) -> Arguments:
    path = shop.folder / "missing.crt"
    if content is not None:
        path = shop.folder / "given.crt"
        path.write_text(content)
    return ["--certificate", str(path), *shop.repacked(files_of(shop))]


def _with_the_certificate_of_another(shop: Workshop) -> Arguments:
    path = write_pem(shop.folder / "other.crt", authority(named("Another")).certificate)
    return ["--certificate", str(path), *shop.repacked(files_of(shop))]


def _listed_twice(shop: Workshop) -> Arguments:
    entries = json.loads(files_of(shop)[MANIFEST])["files"]
    return shop.bundle({}, files=[*entries, entries[0]])


def _without_a_column(shop: Workshop) -> Arguments:
    entries = json.loads(files_of(shop)[MANIFEST])["files"]
    for entry in entries:
        if entry["name"] == _BETS:
            entry["totals_cents"].popitem()
    return shop.bundle({}, files=entries)


def _with_other_sums(shop: Workshop) -> Arguments:
    entries = json.loads(files_of(shop)[MANIFEST])["files"]
    for entry in entries:
        if entry["name"] == _BETS:
            entry["totals_cents"]["stake_cents"] += 100
    return shop.bundle({}, files=entries)


FILES: Final = {
    "with another seal": Forged("the seal of", _with_another_seal),
    "that is no ZIP": Forged(
        "BadZipFile",
        lambda shop: [
            *shop.known,
            shop.file("x.zip", b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ],
    ),
    "that is not there": Forged("cannot be read", lambda shop: [*shop.known, "/nowhere.zip"]),
    "of a later format": Forged(
        "the format of the manifest is", lambda shop: shop.bundle({}, format="sabot-bundle/3")
    ),
    "of a stranger in their own name": Forged(
        "which is not one of those given", lambda shop: _by_a_stranger(shop, is_named=True)
    ),
    "of a stranger in the operator's name": Forged(
        "not signed by the key that it names", lambda shop: _by_a_stranger(shop, is_named=False)
    ),
    "changed after its signature": Forged(
        "the signature of the manifest is invalid",
        lambda shop: shop.repacked({**files_of(shop), MANIFEST: files_of(shop)[MANIFEST] + b"\n"}),
    ),
    "with octets after its signature": Forged(
        "not a single DER structure",
        lambda shop: _with_signature(shop, files_of(shop)[SIGNATURE] + b"\0"),
    ),
    "with a signature of indefinite length": Forged(
        "not a single DER structure",
        lambda shop: _with_signature(shop, _of_indefinite_length(shop)),
    ),
    "without a signer": Forged(
        "NOT PROVED: the bundle", lambda shop: shop.repacked(files_of(shop))[-1:]
    ),
    "for half a digest": Forged(
        "64 hexadecimal digits",
        lambda shop: ["--key-id", shop.key.key_id[:32], *shop.repacked(files_of(shop))],
    ),
    "for a certificate that is not there": Forged(
        "cannot be read", lambda shop: _with_certificate(shop, None)
    ),
    "for no certificate": Forged(
        "contains no PEM certificate", lambda shop: _with_certificate(shop, "")
    ),
    "for a certificate and the digest of another": Forged(
        "is not the certificate with the given --key-id", _with_the_certificate_of_another
    ),
    "with a file more": Forged(
        "files that are not in the manifest",
        lambda shop: shop.bundle({"registers/more.csv": b"x\n"}),
    ),
    "with a file listed twice": Forged("lists a file twice", _listed_twice),
    "with another file than was signed": Forged(
        "registers/bets.jsonl differs from the signed file",
        lambda shop: shop.repacked({**files_of(shop), "registers/bets.jsonl": b"PK"}),
    ),
    "with other rows than it says": Forged(
        "bets.csv has 9 rows", lambda shop: shop.stating(_BETS, rows=8)
    ),
    "with a column of money that it hides": Forged("other money columns", _without_a_column),
    "with other sums than it says": Forged("stake_cents sums to", _with_other_sums),
    "with other times than it says": Forged(
        "has the times", lambda shop: shop.stating(_BETS, first_at="2026-11-10T12:00:00Z")
    ),
    "with times of no rows": Forged(
        "has the times",
        lambda shop: shop.stating(_LARGE_WINS, "reports", last_at="2026-11-10T12:00:00Z"),
    ),
}
