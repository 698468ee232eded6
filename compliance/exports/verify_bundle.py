#!/usr/bin/env python3
"""Verifies a Sabot bundle with Python 3.9 and OpenSSL 3 only; no part of Sabot is needed.

    python3 verify_bundle.py --certificate operator.crt BUNDLE.zip [PREVIOUS.zip ...]
    python3 verify_bundle.py --key-id DIGEST BUNDLE.zip [PREVIOUS.zip ...]

Prints each completed check and stops at the first error. Exit status: 0 if the bundle is valid;
1 if it is not, or if no signer was given; 2 for an invalid argument.

Obtain the operator's certificate separately from the bundle, or its SHA-256: 64 hexadecimal digits,
which can be compared on the telephone. The certificate file may contain several certificates, if
the operator has changed keys, but not that of the issuing authority; repeat --key-id for several
keys. The checks, in this order:

1. seal: the last 64 characters of the file are the SHA-256 of all bytes before them (damage);
2. signature of manifest.json, by openssl and only by the certificate that the manifest names and
   you have given. Other certificates that this machine trusts are not accepted;
3. files: exactly those of the manifest, each with its size and SHA-256;
4. registers: rows, sums of money, first and last time, recomputed from the CSV files;
5. days: stages and corrections add up to the daily alignment;
6. audit trail, for closed days: each closing is in the signed Merkle tree of the audit trail
   (RFC 9162), and the registers agree with the closings;
7. chain: each bundle contains the digest of the previous manifest, back to the oldest one given.
"""

import argparse
import csv
import datetime as dt
import hashlib
import io
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

SEAL = 64
BLOCK = 1 << 20
LONGEST_FIELD = 2**31 - 1
"""The most that Python accepts on every system; Windows has no more."""
DER_SEQUENCE, DER_LONG = 0x30, 0x80
MANIFEST, SIGNATURE, PROOF = "manifest.json", "manifest.json.p7s", "proof.json"
HEAD = "sabot tree head/1"
ED25519 = bytes.fromhex("302a300506032b6570032100")
"""DER prefix of the 32 bytes of an Ed25519 key (RFC 8410)."""
MONEY = ("staked", "open", "refunded", "winnings", "difference", "staked_chips", "returned_chips")
CHANGED = ("open", "refunded", "winnings", "difference", "returned_chips")
UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    csv.Error,
)
"""Exceptions raised when reading an invalid file."""

Json = dict[str, Any]
Say = Callable[[str], object]


class Wrong(Exception):
    """The bundle is invalid; the message says why."""


def main() -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Verifies a bundle of Sabot.")
    parser.add_argument(
        "--certificate",
        default="",
        help="the operator's certificate (PEM), obtained separately from the bundle",
    )
    parser.add_argument(
        "--key-id",
        action="append",
        default=[],
        help="SHA-256 of the operator's certificate, obtained separately",
    )
    parser.add_argument(
        "--log-key", default="", help="id of the audit log's key, obtained separately"
    )
    parser.add_argument("bundle")
    parser.add_argument("previous", nargs="*", help="earlier bundles, in any order")
    arguments = parser.parse_args()
    csv.field_size_limit(LONGEST_FIELD)
    try:
        known = known_keys(arguments.certificate, arguments.key_id)
        manifest, digest = verify(arguments.bundle, known, say=print)
        verify_log_key(manifest, arguments.bundle, arguments.log_key)
        verify_chain(manifest, arguments.previous, known)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    if not known:
        print(f"NOT PROVED: the bundle is consistent and signed by the key {manifest['key_id']}.")
        print("Whether this is the operator's key is unknown: anyone can create such a key.")
        print("Ask the operator for the SHA-256 of the certificate and pass it with --key-id.")
        return 1
    closed = "closed" if manifest["closed"] else "still open when the bundle was created"
    print(f"RIGHT: bundle {manifest['number']} of {scope_label(manifest['of'])}, {closed}.")
    print(f"SHA-256 of its manifest: {digest}")
    return 0


def scope_label(of: Json) -> str:
    """The scope in words: its days and filters."""
    days = of["first_day"]
    if of["last_day"] != of["first_day"]:
        days += f" to {of['last_day']}"
    names = ("contents", "game", "table", "rules", "customer")
    return ", ".join([days, *(f"{name} {of[name]}" for name in names if of[name])])


def known_keys(certificate: str, key_ids: list[str]) -> set[str]:
    """SHA-256 of the known certificates of the operator; empty without any."""
    known = {digest.replace(":", "").replace(" ", "").lower() for digest in key_ids}
    if any(re.fullmatch("[0-9a-f]{64}", digest) is None for digest in known):
        raise Wrong("--key-id is not the SHA-256 of a certificate: 64 hexadecimal digits")
    if not certificate:
        return known
    try:
        with open(certificate, encoding="utf-8") as file:
            handed_over = set(certificates_in(file.read()))
    except UNREADABLE as error:
        raise Wrong(f"{certificate} cannot be read: {type(error).__name__}: {error}") from None
    if not handed_over:
        raise Wrong(f"{certificate} contains no PEM certificate")
    if known and not known & handed_over:
        raise Wrong(f"{certificate} is not the certificate with the given --key-id")
    return known & handed_over if known else handed_over


def certificates_in(text: str) -> dict[str, str]:
    """The certificates of a PEM text by their SHA-256."""
    pems = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", text, re.DOTALL)
    ders = [ssl.PEM_cert_to_DER_cert(pem) for pem in pems]
    return {hashlib.sha256(der).hexdigest(): ssl.DER_cert_to_PEM_cert(der) for der in ders}


def verify(path: str, known: set[str], say: Say) -> tuple[Json, str]:
    """Verifies one bundle without its chain; returns the manifest and its digest.

    Without a known key, the signature is checked against the key that the manifest names.
    """
    try:
        return verify_readable(path, known, say)
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def verify_readable(path: str, known: set[str], say: Say) -> tuple[Json, str]:
    """As ``verify``, for a readable file."""
    verify_seal(path)
    say("The seal matches: the file is not damaged.")
    with zipfile.ZipFile(path) as bundle:
        content = bundle.read(MANIFEST)
        manifest = json.loads(content)
        verify_key(manifest, known)
        verify_signature(content, bundle.read(SIGNATURE), manifest["key_id"])
        whose = "that you gave" if known else "that it names"
        say(f"The manifest is signed by the key {whose}: {manifest['key_id']}.")
        files = verify_names(bundle, manifest)
        for entry in manifest["files"]:
            verify_file(bundle, entry)
        say(f"All {len(files)} files match the manifest in size and digest; there are no others.")
        tables = {name: table(bundle, entry) for name, entry in files.items() if is_csv(name)}
        for name, entry in files.items():
            if is_csv(name):
                verify_register(name, entry, tables[name])
        rows = sum(entry["rows"] for name, entry in files.items() if is_csv(name))
        say(f"{len(tables)} registers with {rows} rows in total: counts, sums and times match.")
        if manifest["of"]["contents"] == "registers":
            verify_alignment(tables)
            say("Stages and corrections add up to the daily alignment.")
        verify_proofs(bundle, manifest, tables, say)
    return manifest, hashlib.sha256(content).hexdigest()


def verify_seal(path: str) -> None:
    """Checks the seal: the last characters are the digest of all preceding bytes."""
    digest, left = hashlib.sha256(), os.path.getsize(path) - SEAL
    with open(path, "rb") as file:
        while left > 0:
            block = file.read(min(BLOCK, left))
            digest.update(block)
            left -= len(block)
        seal = file.read()
    if seal != digest.hexdigest().encode():
        raise Wrong(f"the seal of {path} does not match: the file is damaged or truncated")


def verify_key(manifest: Json, known: set[str]) -> None:
    """Checks that the manifest names a known certificate."""
    if manifest["format"] != "sabot-bundle/1":
        raise Wrong(f"the format of the manifest is {manifest['format']!r}; needed sabot-bundle/1")
    if known and manifest["key_id"] not in known:
        raise Wrong(
            f"the manifest names the key {manifest['key_id']}, which is not one of those given"
        )


def verify_signature(content: bytes, signature: bytes, key_id: str) -> None:
    """Checks the signature with openssl, by the certificate with this SHA-256 alone.

    The certificate is taken from the signature and identified by its digest. -nointern and
    -certfile restrict openssl to it; -noverify skips the chain of trust, which the digest replaces.
    The validity period is not checked: bundles are kept longer than keys are valid.
    """
    verify_der(signature)
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, content=content, signature=signature)
        printed = run_openssl(
            "the signature of the manifest cannot be read",
            ["pkcs7", "-inform", "DER", "-in", paths["signature"], "-print_certs"],
        )
        pem = certificates_in(printed).get(key_id)
        if pem is None:
            raise Wrong("the manifest is not signed by the key that it names")
        signer = write(folder, signer=pem.encode())["signer"]
        run_openssl(
            "the signature of the manifest is invalid",
            [
                *("cms", "-verify", "-binary", "-inform", "DER", "-in", paths["signature"]),
                *("-content", paths["content"], "-nointern", "-certfile", signer, "-noverify"),
                *("-out", os.devnull),
            ],
        )


def verify_der(signature: bytes) -> None:
    """Checks that the signature is exactly one DER structure.

    openssl reads the first structure and ignores trailing bytes.
    """
    first = signature[1] if len(signature) > 1 and signature[0] == DER_SEQUENCE else DER_LONG
    places = first - DER_LONG if first > DER_LONG else 0
    length = int.from_bytes(signature[2 : 2 + places], "big") if places else first
    if first == DER_LONG or len(signature) != 2 + places + length:
        raise Wrong("the signature of the manifest is not a single DER structure")


def verify_names(bundle: zipfile.ZipFile, manifest: Json) -> dict[str, Json]:
    """Checks that the files are those of the manifest; returns its entries by name."""
    files = {entry["name"]: entry for entry in manifest["files"]}
    names = sorted(bundle.namelist())
    if names != sorted([*files, MANIFEST, SIGNATURE]):
        expected = {*files, MANIFEST, SIGNATURE}
        missing, added = sorted(expected - {*names}), sorted({*names} - expected)
        raise Wrong(f"missing files: {missing}; files that are not in the manifest: {added}")
    if len(files) != len(manifest["files"]):
        raise Wrong("the manifest lists a file twice")
    return files


def verify_file(bundle: zipfile.ZipFile, entry: Json) -> None:
    """Checks size and digest of a file."""
    digest, size = hashlib.sha256(), 0
    with bundle.open(entry["name"]) as file:
        while block := file.read(BLOCK):
            digest.update(block)
            size += len(block)
    if (size, digest.hexdigest()) != (entry["size"], entry["sha256"]):
        raise Wrong(f"{entry['name']} differs from the signed file in size or digest")


def is_csv(name: str) -> bool:
    """Whether the file is a register in CSV, the format that is recounted."""
    return name.endswith(".csv")


def table(bundle: zipfile.ZipFile, entry: Json) -> Json:
    """Counts of a register: rows, sums of money, first and last time.

    For corrections, also the sums over rounds of earlier days.
    """
    rows, stages = 0, 0
    sums: dict[str, int] = {}
    earlier: dict[str, int] = {}
    times: list[str] = []
    with bundle.open(entry["name"]) as file:
        lines = csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""), delimiter=";")
        money = [name for name in lines.fieldnames or [] if name.endswith("_cents")]
        for line in lines:
            rows += 1
            stages += int(line.get("stages", 0))
            for name in money:
                cents = int(line[name] or 0)
                sums[name] = sums.get(name, 0) + cents
                if line.get("in_stages") == "0":
                    earlier[name] = earlier.get(name, 0) + cents
            if entry["clock"]:
                at = line[entry["clock"]]
                times = [min(times[0], at), max(times[1], at)] if times else [at, at]
    counted = {"rows": rows, "stages": stages, "times": times}
    return {**counted, "money": money, "sums": sums, "earlier": earlier}


def verify_register(name: str, entry: Json, counted: Json) -> None:
    """Checks the counts of a register against the manifest."""
    if counted["rows"] != entry["rows"]:
        raise Wrong(f"{name} has {counted['rows']} rows; the manifest has {entry['rows']}")
    if sorted(counted["money"]) != sorted(entry["totals_cents"]):
        raise Wrong(f"{name} has other money columns than the manifest")
    for column, cents in entry["totals_cents"].items():
        if counted["sums"].get(column, 0) != cents:
            raise Wrong(f"{name}: {column} sums to {counted['sums'].get(column, 0)}, not {cents}")
    times = [plain_time(entry[end]) for end in ("first_at", "last_at") if entry[end]]
    if counted["times"] != times:
        raise Wrong(f"{name} has the times {counted['times']}; the manifest has {times}")


def plain_time(text: str) -> str:
    """A time of the manifest in the format of CSV files."""
    text = text.replace("T", " ").rstrip("Z")
    return text.rstrip("0").rstrip(".") if "." in text else text


def verify_alignment(tables: dict[str, Json]) -> None:
    """Checks the alignment against stages and corrections.

    The change by a correction is its figure after less its figure before.
    """
    stages, alignment, corrections = (
        tables[f"registers/{name}.csv"] for name in ("stages", "alignment", "corrections")
    )
    for name in MONEY:
        compare(f"{name}_cents", stages["sums"], alignment["sums"], f"{name}_cents")
    for name in CHANGED:
        before = corrections["earlier"].get(f"{name}_before_cents", 0)
        after = corrections["earlier"].get(f"{name}_after_cents", 0)
        compare(name, {name: after - before}, alignment["sums"], f"{name}_change_cents")


def compare(name: str, sums: dict[str, int], alignment: dict[str, int], column: str) -> None:
    """Checks one figure of the alignment."""
    if sums.get(name, 0) != alignment.get(column, 0):
        raise Wrong(
            f"the registers give {sums.get(name, 0)} for {column},"
            f" the daily alignment says {alignment.get(column, 0)}"
        )


def verify_proofs(
    bundle: zipfile.ZipFile, manifest: Json, tables: dict[str, Json], say: Say
) -> None:
    """Verifies that the closings of closed days are in the signed Merkle tree of the audit trail.

    Unless the bundle is limited to a customer, compares the registers with their totals.
    """
    if not manifest["closed"]:
        say("A day was still open, so the audit trail has no closing to verify.")
        return
    of = manifest["of"]
    closings = [verify_proof(proof, say) for proof in json.loads(bundle.read(PROOF))["closings"]]
    days = [day for day, _totals in closings]
    if days != days_of(of):
        raise Wrong(f"the proofs are of the closings of {days}, not of {scope_label(of)}")
    if of["contents"] == "registers" and not of["customer"]:
        verify_closings(of, tables["registers/alignment.csv"], [totals for _, totals in closings])
        say("The registers agree with the rounds and the gross win of the closings.")


def days_of(of: Json) -> list[str]:
    """The days of a scope."""
    first, last = (dt.date.fromisoformat(of[name]) for name in ("first_day", "last_day"))
    return [str(first + dt.timedelta(days=n)) for n in range((last - first).days + 1)]


def verify_proof(proof: Json, say: Say) -> tuple[str, Json]:
    """Verifies the proof of a closing; returns its day and totals."""
    head, record = proof["head"], proof["record"].encode()
    names = ("sequence", "at", "size", "root", "chain", "key_id")
    signed = compact([HEAD, *(head[name] for name in names)])
    key = bytes.fromhex(proof["public_key"])
    if hashlib.sha256(key).hexdigest() != head["key_id"]:
        raise Wrong("the key of the tree head differs from that of the proof")
    verify_head(signed, bytes.fromhex(head["signature"]), key)
    path = [bytes.fromhex(node) for node in proof["path"]]
    leaf = hashlib.sha256(b"\x00" + record).digest()
    if root_of(leaf, proof["leaf_index"], head["size"], path).hex() != head["root"]:
        raise Wrong("the audit record of a closing is not in the signed tree")
    _at, actor, _user, action, subject, details = json.loads(record)
    kind, _colon, day = subject.partition(":")
    if action not in ("DAY_CLOSED", "DAY_CLOSED_BY_SIGNATURE") or kind != "day":
        raise Wrong(f"the proof is of {action} {subject}, not of the closing of a day")
    if hashlib.sha256(compact(details["totals"])).hexdigest() != details["digest"]:
        raise Wrong("the totals of the closing do not match their digest")
    say(f"The closing of {day} by {actor} is record {proof['leaf_index']} of the audit trail;")
    say(f"its head is signed by the key {head['key_id']} (--log-key).")
    return day, details["totals"]


def verify_log_key(manifest: Json, path: str, known: str) -> None:
    """Checks the key of the audit log, if given."""
    if not known or not manifest["closed"]:
        return
    with zipfile.ZipFile(path) as bundle:
        closings = json.loads(bundle.read(PROOF))["closings"]
    for key_id in [proof["head"]["key_id"] for proof in closings]:
        if key_id != known:
            raise Wrong(f"a tree head is signed by the key {key_id}, not by {known}")
    print("This is the given key of the audit log.")


def compact(value: object) -> bytes:
    """Canonical JSON, as the trail hashes and signs it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root computed from an inclusion proof (RFC 9162, section 2.1.3.2)."""
    node_hash, place, last = leaf, index, size - 1
    if not 0 <= index < size:
        raise Wrong(f"the proof is of leaf {index} in a tree of {size}")
    for node in path:
        if last == 0:
            raise Wrong("the proof of the record is too long")
        if place & 1 or place == last:
            node_hash = hashlib.sha256(b"\x01" + node + node_hash).digest()
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            node_hash = hashlib.sha256(b"\x01" + node_hash + node).digest()
        place, last = place >> 1, last >> 1
    if last != 0:
        raise Wrong("the proof of the record is too short")
    return node_hash


def verify_head(signed: bytes, signature: bytes, key: bytes) -> None:
    """Checks the Ed25519 signature of a tree head with openssl."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, signed=signed, signature=signature, key=ED25519 + key)
        run_openssl(
            "the signature of the tree head is invalid",
            [
                *("pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths["key"]),
                *("-rawin", "-in", paths["signed"], "-sigfile", paths["signature"]),
            ],
        )


def verify_closings(of: Json, alignment: Json, closings: list[Json]) -> None:
    """Checks gross win and rounds of the closings, for the games and tables of the bundle."""
    games = [
        game
        for totals in closings
        for game in totals["games"]
        if all(of[name] in ("", game[name]) for name in ("game", "table", "rules"))
    ]
    win = sum(game["gross_win_cents"] for game in games)
    rounds = sum(game["rounds_taken"] for game in games)
    sums = alignment["sums"]
    difference = sums.get("difference_cents", 0) + sums.get("difference_change_cents", 0)
    if (difference, alignment["stages"]) != (win, rounds):
        raise Wrong(
            f"the registers give {alignment['stages']} stages and a difference of {difference}"
            f" cents, the closing {rounds} rounds and a gross win of {win}"
        )


def verify_chain(manifest: Json, paths: list[str], known: set[str]) -> None:
    """Verifies the chain from this bundle back through the given ones."""
    earlier: dict[int, tuple[str, Json, str]] = {}
    for path in paths:
        previous, digest = verify(path, known, say=lambda _words: None)
        earlier[previous["number"]] = (path, previous, digest)
    chained = 0
    while manifest["previous"] is not None and (manifest["number"] - 1) in earlier:
        path, previous, digest = earlier.pop(manifest["number"] - 1)
        if manifest["previous"] != {"number": previous["number"], "manifest_sha256": digest}:
            raise Wrong(f"bundle {manifest['number']} does not follow {path}: its manifest differs")
        manifest, chained = previous, chained + 1
    if earlier:
        raise Wrong(f"the bundles {sorted(earlier)} are not in the chain of this bundle")
    if (manifest["number"] == 1) != (manifest["previous"] is None):
        raise Wrong(f"bundle {manifest['number']} has no previous bundle")
    if chained or manifest["number"] == 1:
        print(f"The chain is intact, back to bundle {manifest['number']}.")
    else:
        print("The chain was not checked: pass the previous bundles as well.")


def write(folder: str, **contents: bytes) -> dict[str, str]:
    """Writes files into a folder; returns their paths."""
    paths = {name: os.path.join(folder, name) for name in contents}
    for name, content in contents.items():
        with open(paths[name], "wb") as file:
            file.write(content)
    return paths


def run_openssl(what: str, arguments: list[str]) -> str:
    """Runs openssl and returns its output. Raises Wrong if it fails."""
    completed = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    if completed.returncode != 0:
        lines = completed.stderr.strip().splitlines() or ["no output"]
        raise Wrong(f"{what} (openssl: {lines[-1]})")
    return completed.stdout


if __name__ == "__main__":
    sys.exit(main())
