#!/usr/bin/env python3
"""Verifies a bundle of Sabot on a machine that has Python 3.9 and OpenSSL 3, and nothing of Sabot.

    python3 verify_bundle.py --certificate operator.crt [--log-key ID] BUNDLE.zip [PREVIOUS.zip ...]

It says what it checked, stops at the first thing that is wrong, and ends with 1 then. The
certificate has to come to you by another way than the bundle; the file may hold several, one after
the other, where the operator changed his key. What is checked, in this order:

1. the seal: the last 64 characters of the file are SHA-256 over all bytes before them (damage);
2. the signature of manifest.json, by the openssl program;
3. the files: exactly those of the manifest, each of its size and SHA-256;
4. the registers: rows, sums of money, first and last time, counted again from the CSV files;
5. the days: their stages and corrections give the figures of their alignment;
6. the trail, where the days are closed: that each closing stands in the signed Merkle tree of the
   audit trail (RFC 9162), and that the registers give what the closings say;
7. the chain: each bundle names the digest of the manifest before, back to the oldest that you gave.
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
MANIFEST, SIGNATURE, PROOF = "manifest.json", "manifest.json.p7s", "proof.json"
HEAD = "sabot tree head/1"
ED25519 = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410)."""
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
"""What reading a file raises that is not what it should be."""

Told = dict[str, Any]
Say = Callable[[str], object]


class Wrong(Exception):
    """What is wrong with the bundle, in words."""


def main() -> int:
    """What was asked for on the command line; the exit status."""
    parser = argparse.ArgumentParser(description="Verifies a bundle of Sabot.")
    parser.add_argument("--certificate", required=True, help="PEM, not from the bundle")
    parser.add_argument(
        "--log-key", default="", help="id of the audit log's key, as the operator told you"
    )
    parser.add_argument("bundle")
    parser.add_argument("previous", nargs="*", help="earlier bundles, in any order")
    asked = parser.parse_args()
    csv.field_size_limit(sys.maxsize)
    try:
        manifest, digest = verify(asked.bundle, asked.certificate, say=print)
        verify_log_key(manifest, asked.bundle, asked.log_key)
        verify_chain(manifest, asked.previous, asked.certificate)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    closed = "closed" if manifest["closed"] else "still open when this was made"
    print(f"RIGHT: bundle {manifest['number']} of {scope_words(manifest['of'])}, {closed}.")
    print(f"SHA-256 of its manifest: {digest}")
    return 0


def scope_words(of: Told) -> str:
    """The days and what of them: a whole day, or an extract that leaves something out."""
    days = of["first_day"]
    if of["last_day"] != of["first_day"]:
        days += f" to {of['last_day']}"
    names = ("contents", "game", "table", "rules", "customer")
    return ", ".join([days, *(f"{name} {of[name]}" for name in names if of[name])])


def verify(path: str, certificate: str, say: Say) -> tuple[Told, str]:
    """All of one bundle but its chain; gives the manifest and its digest."""
    try:
        return verify_readable(path, certificate, say)
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def verify_readable(path: str, certificate: str, say: Say) -> tuple[Told, str]:
    """As ``verify``, where nothing raises but what is wrong."""
    verify_seal(path)
    say("The seal fits: no byte of the file was damaged.")
    with zipfile.ZipFile(path) as bundle:
        content = bundle.read(MANIFEST)
        verify_signature(content, bundle.read(SIGNATURE), certificate)
        manifest = json.loads(content)
        verify_key(manifest, certificate)
        say(f"The manifest is signed by the key {manifest['key_id'][:16]}… of your certificate.")
        files = verify_names(bundle, manifest)
        for told in manifest["files"]:
            verify_file(bundle, told)
        say(f"All {len(files)} files are there, each of its size and digest, and no other.")
        tables = {name: table(bundle, told) for name, told in files.items() if is_csv(name)}
        for name, told in files.items():
            if is_csv(name):
                verify_register(name, told, tables[name])
        rows = sum(told["rows"] for name, told in files.items() if is_csv(name))
        say(f"{len(tables)} registers with {rows} rows in all: counts, sums and times fit.")
        if manifest["of"]["contents"] == "registers":
            verify_alignment(tables)
            say("The stages and corrections give the daily alignment.")
        verify_proofs(bundle, manifest, tables, say)
    return manifest, hashlib.sha256(content).hexdigest()


def verify_seal(path: str) -> None:
    """The last characters of the file are the digest of all the others."""
    digest, left = hashlib.sha256(), os.path.getsize(path) - SEAL
    with open(path, "rb") as file:
        while left > 0:
            block = file.read(min(BLOCK, left))
            digest.update(block)
            left -= len(block)
        seal = file.read()
    if seal != digest.hexdigest().encode():
        raise Wrong(f"the seal of {path} does not fit: the file was damaged or cut off")


def verify_signature(content: bytes, signature: bytes, certificate: str) -> None:
    """By the openssl program.

    Bundles are kept longer than keys: that the certificate has run out since says nothing against
    what was signed before, so the time is not asked.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, content=content, signature=signature)
        run_openssl(
            "the signature of the manifest is not right",
            [
                *("cms", "-verify", "-binary", "-inform", "DER", "-in", paths["signature"]),
                *("-content", paths["content"], "-CAfile", certificate),
                *("-no_check_time", "-out", os.devnull),
            ],
        )


def verify_key(manifest: Told, certificate: str) -> None:
    """The manifest names the certificate by its digest."""
    with open(certificate, encoding="ascii") as file:
        text = file.read()
    pems = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", text, re.DOTALL)
    known = [hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest() for pem in pems]
    if manifest["format"] != "sabot-bundle/1":
        raise Wrong(
            f"the manifest is of the form {manifest['format']!r}; this reads sabot-bundle/1"
        )
    if manifest["key_id"] not in known:
        raise Wrong("the manifest names another key than that of your certificate")


def verify_names(bundle: zipfile.ZipFile, manifest: Told) -> dict[str, Told]:
    """What is in the file is what the manifest lists, each once."""
    files = {told["name"]: told for told in manifest["files"]}
    found = sorted(bundle.namelist())
    if found != sorted([*files, MANIFEST, SIGNATURE]):
        expected = {*files, MANIFEST, SIGNATURE}
        missing, added = sorted(expected - {*found}), sorted({*found} - expected)
        raise Wrong(f"missing files: {missing}; files that the manifest does not know: {added}")
    if len(files) != len(manifest["files"]):
        raise Wrong("the manifest names a file twice")
    return files


def verify_file(bundle: zipfile.ZipFile, told: Told) -> None:
    """One file against what the manifest says of it."""
    digest, size = hashlib.sha256(), 0
    with bundle.open(told["name"]) as file:
        while block := file.read(BLOCK):
            digest.update(block)
            size += len(block)
    if (size, digest.hexdigest()) != (told["size"], told["sha256"]):
        raise Wrong(f"{told['name']} is not the file that was signed: its size or digest differs")


def is_csv(name: str) -> bool:
    """Whether it is the form of a register that is counted again."""
    return name.endswith(".csv")


def table(bundle: zipfile.ZipFile, told: Told) -> Told:
    """What is counted in a register: rows, sums of money, first and last time.

    Of corrections also the sums of those alone that are about rounds of earlier days.
    """
    rows, stages = 0, 0
    sums: dict[str, int] = {}
    earlier: dict[str, int] = {}
    times: list[str] = []
    with bundle.open(told["name"]) as file:
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
            if told["clock"]:
                at = line[told["clock"]]
                times = [min(times[0], at), max(times[1], at)] if times else [at, at]
    counted = {"rows": rows, "stages": stages, "times": times}
    return {**counted, "money": money, "sums": sums, "earlier": earlier}


def verify_register(name: str, told: Told, found: Told) -> None:
    """What was counted in a register against what the manifest says."""
    if found["rows"] != told["rows"]:
        raise Wrong(f"{name} has {found['rows']} rows, the manifest says {told['rows']}")
    if sorted(found["money"]) != sorted(told["totals_cents"]):
        raise Wrong(f"{name} has other columns of money than the manifest says")
    for column, cents in told["totals_cents"].items():
        if found["sums"].get(column, 0) != cents:
            raise Wrong(f"{name}: {column} sums to {found['sums'].get(column, 0)}, not {cents}")
    times = [plain_time(told[end]) for end in ("first_at", "last_at") if told[end]]
    if found["times"] != times:
        raise Wrong(f"{name} is of the times {found['times']}, the manifest says {times}")


def plain_time(text: str) -> str:
    """A time of the manifest as a CSV file writes it."""
    text = text.replace("T", " ").rstrip("Z")
    return text.rstrip("0").rstrip(".") if "." in text else text


def verify_alignment(tables: dict[str, Told]) -> None:
    """The figures of the day are those of its stages.

    What corrections of earlier days change is what they say after less what they say before.
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


def compare(name: str, found: dict[str, int], alignment: dict[str, int], column: str) -> None:
    """One figure of the registers against that of the alignment."""
    if found.get(name, 0) != alignment.get(column, 0):
        raise Wrong(
            f"the registers give {found.get(name, 0)} for {column},"
            f" the daily alignment says {alignment.get(column, 0)}"
        )


def verify_proofs(
    bundle: zipfile.ZipFile, manifest: Told, tables: dict[str, Told], say: Say
) -> None:
    """The closings of closed days stand in the signed Merkle tree of the audit trail.

    The figures of the registers are those that they give, where the registers leave nothing out.
    """
    if not manifest["closed"]:
        say("A day was still open: there is no closing in the audit trail to prove.")
        return
    of = manifest["of"]
    closings = [verify_proof(proof, say) for proof in json.loads(bundle.read(PROOF))["closings"]]
    days = [day for day, _totals in closings]
    if days != days_of(of):
        raise Wrong(f"the proofs are of the closings of {days}, not of {scope_words(of)}")
    if of["contents"] == "registers" and not of["customer"]:
        verify_closings(of, tables["registers/alignment.csv"], [one for _, one in closings])
        say("The registers give the rounds and the gross win that were closed.")


def days_of(of: Told) -> list[str]:
    """The days from the first to the last."""
    first, last = (dt.date.fromisoformat(of[name]) for name in ("first_day", "last_day"))
    return [str(first + dt.timedelta(days=n)) for n in range((last - first).days + 1)]


def verify_proof(proof: Told, say: Say) -> tuple[str, Told]:
    """One closing; gives its day and what it says that the day came to."""
    head, record = proof["head"], proof["record"].encode()
    names = ("sequence", "at", "size", "root", "chain", "key_id")
    signed = compact([HEAD, *(head[name] for name in names)])
    key = bytes.fromhex(proof["public_key"])
    if hashlib.sha256(key).hexdigest() != head["key_id"]:
        raise Wrong("the tree head of the trail names another key than the proof has")
    verify_head(signed, bytes.fromhex(head["signature"]), key)
    path = [bytes.fromhex(node) for node in proof["path"]]
    leaf = hashlib.sha256(b"\x00" + record).digest()
    if root_of(leaf, proof["leaf_index"], head["size"], path).hex() != head["root"]:
        raise Wrong("the record of a day's closing is not in the signed tree of the trail")
    _at, actor, _user, action, subject, details = json.loads(record)
    kind, _colon, day = subject.partition(":")
    if (action, kind) != ("DAY_CLOSED", "day"):
        raise Wrong(f"the proof is of {action} {subject}, not of the closing of a day")
    if hashlib.sha256(compact(details["totals"])).hexdigest() != details["digest"]:
        raise Wrong("the totals in the record of the closing do not have its digest")
    say(f"The closing of {day} by {actor} is record {proof['leaf_index']} of the audit trail,")
    say(f"whose head is signed by the key {head['key_id']} (--log-key).")
    return day, details["totals"]


def verify_log_key(manifest: Told, path: str, known: str) -> None:
    """The key of the audit log is the one that the operator told, where that was said."""
    if not known or not manifest["closed"]:
        return
    with zipfile.ZipFile(path) as bundle:
        closings = json.loads(bundle.read(PROOF))["closings"]
    for found in [proof["head"]["key_id"] for proof in closings]:
        if found != known:
            raise Wrong(f"a head of the trail is signed by the key {found}, not by {known}")
    print("That is the key of the audit log that you named.")


def compact(value: object) -> bytes:
    """JSON without white space, keys sorted: what the trail hashes and signs."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2)."""
    found, place, last = leaf, index, size - 1
    if not 0 <= index < size:
        raise Wrong(f"the proof is of leaf {index} in a tree of {size}")
    for node in path:
        if last == 0:
            raise Wrong("the proof of the record is too long")
        if place & 1 or place == last:
            found = hashlib.sha256(b"\x01" + node + found).digest()
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = hashlib.sha256(b"\x01" + found + node).digest()
        place, last = place >> 1, last >> 1
    if last != 0:
        raise Wrong("the proof of the record is too short")
    return found


def verify_head(signed: bytes, signature: bytes, key: bytes) -> None:
    """The trail's own signature, Ed25519, by the openssl program."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, signed=signed, signature=signature, key=ED25519 + key)
        run_openssl(
            "the tree head of the trail is not signed by its key",
            [
                *("pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths["key"]),
                *("-rawin", "-in", paths["signed"], "-sigfile", paths["signature"]),
            ],
        )


def verify_closings(of: Told, alignment: Told, closings: list[Told]) -> None:
    """Gross win and rounds of the closings, of the games and tables that the bundle is of."""
    games = [
        one
        for totals in closings
        for one in totals["games"]
        if all(of[name] in ("", one[name]) for name in ("game", "table", "rules"))
    ]
    win = sum(one["gross_win_cents"] for one in games)
    rounds = sum(one["rounds_taken"] for one in games)
    sums = alignment["sums"]
    told = sums.get("difference_cents", 0) + sums.get("difference_change_cents", 0)
    if (told, alignment["stages"]) != (win, rounds):
        raise Wrong(
            f"the registers give {alignment['stages']} stages and a difference of {told} cents,"
            f" the closing {rounds} rounds and a gross win of {win}"
        )


def verify_chain(manifest: Told, paths: list[str], certificate: str) -> None:
    """Back from this bundle through those that were given."""
    earlier: dict[int, tuple[str, Told, str]] = {}
    for path in paths:
        told, digest = verify(path, certificate, say=lambda _words: None)
        earlier[told["number"]] = (path, told, digest)
    chained = 0
    while manifest["previous"] is not None and (manifest["number"] - 1) in earlier:
        path, told, digest = earlier.pop(manifest["number"] - 1)
        if manifest["previous"] != {"number": told["number"], "manifest_sha256": digest}:
            raise Wrong(f"bundle {manifest['number']} does not follow {path}: its manifest differs")
        manifest, chained = told, chained + 1
    if earlier:
        raise Wrong(f"the bundles {sorted(earlier)} that you gave are not in the chain before this")
    if (manifest["number"] == 1) != (manifest["previous"] is None):
        raise Wrong(f"bundle {manifest['number']} says that none is before it")
    if chained or manifest["number"] == 1:
        print(f"The chain holds, back to bundle {manifest['number']}.")
    else:
        print("The chain was not checked: give the bundles before this one, too.")


def write(folder: str, **contents: bytes) -> dict[str, str]:
    """Files in a folder; gives their paths."""
    paths = {name: os.path.join(folder, name) for name in contents}
    for name, content in contents.items():
        with open(paths[name], "wb") as file:
            file.write(content)
    return paths


def run_openssl(what: str, arguments: list[str]) -> None:
    """Starts the openssl program; wrong is what it refuses."""
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["it says nothing"]
        raise Wrong(f"{what} (openssl: {lines[-1]})")


if __name__ == "__main__":
    sys.exit(main())
