#!/usr/bin/env python3
"""Verifies a Sabot bundle with Python 3.9 and OpenSSL 3 only; no part of Sabot is needed.

    python3 verify_bundle.py --certificate operator.crt BUNDLE.zip [PREVIOUS.zip ...]
    python3 verify_bundle.py --key-id DIGEST BUNDLE.zip [PREVIOUS.zip ...]
    python3 verify_bundle.py --keys persons.txt --key-id DIGEST BUNDLE.zip [PREVIOUS.zip ...]

It also verifies the dossier of a dispute (a ZIP), and the proof of an audit record, the receipt of
a round or the proof that the totals of a day count a customer (JSON, with --log-key instead of the
certificate).

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
7. decisions: each one that the bundle reports is signed by its person's key, a security key
   (WebAuthn) or a key in a browser, which the output names, and that key was in force by the signed
   approval of another person; two persons signed the same effect of each executed case, and the
   registers say what they signed;
8. totals, for closed days: the shares of customers' stakes and winnings are the leaves of the sum
   trees that the manifest names, and add up to the registers and the tax base;
9. chain: each bundle contains the digest of the previous manifest, back to the oldest one given.

Whose keys these are is the operator's own word, unless you obtain the ids of the persons' keys
separately: --keys names a file with one id of 64 hexadecimal digits a line, and the person's name
after it. A key then counts if it is in the file, or was approved by a person whose key counts.

Whether the operator shows everybody the same audit trail is the word of its witnesses: --policy
names a file of C2SP tlog-policy with their keys, obtained separately as well. A head of the trail
then counts if a quorum of them has cosigned it, and one of the logs of the file, if any, signed it.
"""

import argparse
import base64
import csv
import datetime as dt
import hashlib
import io
import json
import os
import re
import ssl
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

SEAL = 64
BLOCK = 1 << 20
LARGEST_IN_MEMORY = 1 << 26
"""Octets of what is read as a whole: the signed list of files, a proof, a line, a field."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression of a bundle. Other methods raise exceptions of other modules."""
DER_SEQUENCE, DER_LONG = 0x30, 0x80
MANIFEST, SIGNATURE, PROOF = "manifest.json", "manifest.json.p7s", "proof.json"
SIGNATURES, KEYS, PLANS = "signatures.jsonl", "signing_keys.jsonl", "case_plans.jsonl"
WITHOUT_SIGNATURES, FORMAT = "sabot-bundle/1", "sabot-bundle/2"
HEAD = "sabot tree head/1"
LOG, COSIGNATURE = b"\x01", b"\x04"
"""Kinds of verifier keys (https://c2sp.org/signed-note): of a log, of a witness."""
ED25519 = bytes.fromhex("302a300506032b6570032100")
"""DER prefix of the 32 bytes of an Ed25519 key (RFC 8410)."""
KEY_OCTETS = 32
COSE_KEYS = (
    (
        rb"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20(.{32})\x22\x58\x20(.{32})",
        bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004"),
        b"",
    ),
    (rb"\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20(.{32})", ED25519, b""),
    (
        rb"\xa4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00(.{256})\x21\x43\x01\x00\x01",
        bytes.fromhex("30820122300d06092a864886f70d01010105000382010f003082010a0282010100"),
        bytes.fromhex("0203010001"),
    ),
)
"""The keys of authenticators (COSE, RFC 9052, in the order of keys of CTAP 2) and what surrounds
their numbers in DER: ECDSA with P-256, Ed25519, RSA with 2048 bits."""
BROWSER_SIGNS = "sabot.browser"
"""The type of what a key in a browser signs; it verifies no user by PIN or biometrics."""
USER_PRESENT, USER_VERIFIED = 0x01, 0x04
"""Flags of the authenticator data (Web Authentication level 2, section 6.1)."""
SIGNED_ACTIONS = {
    *("CASE_PROPOSED", "CASE_REFERRED", "CASE_ALLOWED", "CASE_REFUSED", "CASE_APPROVED"),
    *("CASE_REJECTED", "CASE_WITHDRAWN", "CASES_RESUMPTION_PROPOSED", "CASES_RESUMED"),
    *("DISPUTE_UPHELD", "DISPUTE_PARTLY_UPHELD", "DISPUTE_REJECTED", "DAY_CLOSED_BY_SIGNATURE"),
    *("BONUS_WEIGHTS_SET", "BONUS_WEIGHTS_APPROVED", "HOLD_PLACED", "HOLD_LIFTED"),
    *("BUNDLE_SIGNED", "BUNDLE_SET_ASIDE", "BUNDLE_SENT", "BUNDLE_RECEIVED", "BUNDLE_REFUSED"),
}
"""Events that a person signs, whatever the manifest says. It may name further ones."""
CASE_OF_REASON = re.compile("([A-Z]-[0-9]{4,}): ")
EPOCH = dt.datetime.fromisoformat("1970-01-01T00:00:00+00:00")
ROOTED, APPROVED, REVOKED = (f"SIGNING_KEY_{step}" for step in ("ROOTED", "APPROVED", "REVOKED"))
APPROVERS = 2
WITHHELD = "text_withheld"
"""Of a decision in a dossier that was signed together with others, which its reader may not see."""
DOSSIER, DOSSIER_SIGNATURE = "dossier.json", "dossier.json.p7s"
DOSSIER_FILES = {
    *(DOSSIER, DOSSIER_SIGNATURE, "dossier.it.pdf", "dossier.en.pdf"),
    *("README.txt", "verify_bundle.py", SIGNATURES, KEYS),
}
MONEY = ("staked", "open", "refunded", "winnings", "difference", "staked_chips", "returned_chips")
CHANGED = ("open", "refunded", "winnings", "difference", "returned_chips")
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    csv.Error,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""Exceptions raised when reading an invalid file."""

SUMS = ("stakes_cents", "winnings_cents", "reversed_stakes_cents", "reversed_winnings_cents")
"""What a node of a sum tree sums, for the tax base: stakes - winnings - reversed ones of each."""
COUNTED = {
    "alignment": (("staked", "-open", "-refunded"), ("winnings",), (), ()),
    "corrections": (
        *(("staked", "-refunded_after"), ("winnings_after",)),
        *(("staked", "-open_before", "-refunded_before"), ("winnings_before",)),
    ),
}
"""The columns of registers that give these sums; a minus deducts. Corrections of the day's own
rounds are in its alignment already."""
NODE = struct.Struct(">32s4q")
"""A digest and these sums, each of eight octets, big endian."""

Json = dict[str, Any]
Sums = tuple[int, ...]
NO_SUMS: Sums = (0, 0, 0, 0)
Say = Callable[[str], object]


class Wrong(Exception):
    """The bundle is invalid; the message says why."""


class Outside(NamedTuple):
    """What was obtained separately from the bundle about those who sign, and what verifies it."""

    keys: dict[str, str]
    """Names by the id of a key; a name may be empty. Empty if nothing was obtained."""
    signed_since: str
    """The day since which every decision is signed; empty if unknown."""
    policy: "Policy | None" = None
    """Who signs and cosigns heads of the audit trail; None if unknown."""
    given: "Openssl | None" = None
    """What verifies signatures where there is no openssl."""

    @property
    def openssl(self) -> "Openssl":
        """What verifies signatures."""
        return self.given or Openssl()


class Policy(NamedTuple):
    """Whose signatures make a head of the audit trail count (https://c2sp.org/tlog-policy)."""

    logs: set[str]
    """The ids of their keys; empty for any log."""
    witnesses: dict[str, tuple[str, bytes]]
    """Key name and public key, by the name in the file."""
    groups: dict[str, tuple[int, list[str]]]
    """How many of these witnesses and groups are needed."""
    quorum: str

    def is_met(self, signers: set[str], name: str) -> bool:
        """Whether these witnesses make up the witness or group of this name."""
        if name not in self.groups:
            return name in signers
        needed, members = self.groups[name]
        return sum(self.is_met(signers, member) for member in members) >= needed


NOTHING = Outside({}, "")


class Decision(NamedTuple):
    """A decision as its audit record has it; ``key`` is empty if it is from before signatures."""

    record: str
    at: int
    actor: str
    account: Any
    action: str
    subject: str
    details: Json
    key: str

    @property
    def label(self) -> str:
        """The decision in words."""
        return f"{self.action} of {self.subject} by {self.actor}"

    @property
    def kind(self) -> str:
        """The kind of its subject. Rounds are settled again by cases since there are any."""
        kind = self.subject.partition(":")[0]
        return "case" if kind == "round" else kind

    @property
    def time(self) -> str:
        """Its time in the format of CSV files."""
        at = EPOCH + dt.timedelta(microseconds=self.at)
        return plain_time(at.replace(tzinfo=None).isoformat())


def main(words: "list[str] | None" = None, openssl: "Openssl | None" = None) -> int:
    """Runs the command line, or these words of one; returns the exit status.

    ``openssl`` verifies signatures where there is no such program.
    """
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
    parser.add_argument(
        "--keys", default="", help="file of the persons' signing keys, obtained separately"
    )
    parser.add_argument(
        "--policy", default="", help="file of the log's witnesses and their quorum, as above"
    )
    parser.add_argument(
        "--signed-since", default="", help="day since which the operator signs all decisions"
    )
    parser.add_argument(
        "--sandbox", action="store_true", help="count what a sandbox made, where nothing is real"
    )
    parser.add_argument("bundle")
    parser.add_argument("previous", nargs="*", help="earlier bundles, in any order")
    arguments = parser.parse_args(words)
    csv.field_size_limit(LARGEST_IN_MEMORY)
    try:
        return verify_given(arguments, openssl)
    except Wrong as wrong:
        tell(f"WRONG: {wrong}")
    except UNREADABLE as error:
        tell(f"WRONG: {arguments.bundle} cannot be read: {type(error).__name__}: {error}")
    return 1


def verify_given(arguments: argparse.Namespace, openssl: "Openssl | None") -> int:
    """Verifies the given files; returns the exit status. Raises Wrong or one of UNREADABLE."""
    known = known_keys(arguments.certificate, arguments.key_id)
    outside = known_persons(arguments.keys, arguments.signed_since)
    outside = outside._replace(policy=known_policy(arguments.policy), given=openssl)
    if is_json(arguments.bundle):
        return verify_record_file(arguments.bundle, arguments.log_key, outside)
    if is_dossier(arguments.bundle):
        return verify_dossier_file(
            arguments.bundle, known, arguments.log_key, outside, sandbox=arguments.sandbox
        )
    manifest, digest = verify(arguments.bundle, known, say=tell, outside=outside)
    verify_log_key(manifest, arguments.bundle, arguments.log_key)
    verify_chain(manifest, arguments.previous, known, outside)
    if not known:
        return say_unknown("bundle", manifest["key_id"])
    closed = "closed" if manifest["closed"] else "still open when the bundle was created"
    what = f"bundle {manifest['number']} of {scope_label(manifest['of'])}, {closed}"
    status = say_right(what, manifest, sandbox=arguments.sandbox)
    tell(f"SHA-256 of its manifest: {digest}")
    return status


def tell(text: str) -> None:
    """Prints one line.

    Control characters of a file are shown as escapes: they could print a line of their own, or
    move the cursor over what was printed.
    """
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding))


def say_right(what: str, signed: Json, *, sandbox: bool) -> int:
    """Says that all is right, or that it is of a sandbox; returns the exit status."""
    if not signed.get("sandbox"):
        tell(f"RIGHT: {what}.")
        return 0
    tell(f"SANDBOX, NOT REAL: {what}. It is consistent and signed, and was made for tests.")
    return 0 if sandbox else 1


def say_unknown(what: str, key_id: str) -> int:
    """Says that nobody named the signer; returns the exit status."""
    tell(f"NOT PROVED: the {what} is consistent and signed by the key {key_id}.")
    tell("Whether this is the operator's key is unknown: anyone can create such a key.")
    tell("Ask the operator for the SHA-256 of the certificate and pass it with --key-id.")
    return 1


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


def verify(path: str, known: set[str], say: Say, outside: Outside = NOTHING) -> tuple[Json, str]:
    """Verifies one bundle without its chain; returns the manifest and its digest.

    Without a known key, the signature is checked against the key that the manifest names.
    """
    try:
        return verify_readable(path, known, say, outside)
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def verify_readable(path: str, known: set[str], say: Say, outside: Outside) -> tuple[Json, str]:
    """As ``verify``, for a readable file."""
    verify_seal(path)
    say("The seal matches: the file is not damaged.")
    with zipfile.ZipFile(path) as bundle:
        content = whole(bundle, MANIFEST)
        manifest = json.loads(content)
        verify_key(manifest, known)
        verify_signature(content, whole(bundle, SIGNATURE), manifest["key_id"], outside)
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
        verify_proofs(bundle, manifest, tables, outside, say)
        verify_decisions(bundle, manifest, outside, say)
        verify_totals(bundle, manifest, say)
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
    if manifest["format"] not in (WITHOUT_SIGNATURES, FORMAT):
        raise Wrong(f"the format of the manifest is {manifest['format']!r}; needed {FORMAT}")
    if known and manifest["key_id"] not in known:
        raise Wrong(
            f"the manifest names the key {manifest['key_id']}, which is not one of those given"
        )


def signers_of(signature: bytes, outside: Outside) -> dict[str, str]:
    """The certificates in a signature by their SHA-256."""
    verify_der(signature)
    return certificates_in(outside.openssl.certificates(signature))


def verify_signature(
    content: bytes, signature: bytes, key_id: str, outside: Outside = NOTHING
) -> None:
    """Checks the signature by the certificate with this SHA-256 alone.

    The certificate is taken from the signature and identified by its digest.
    """
    pem = signers_of(signature, outside).get(key_id)
    if pem is None:
        raise Wrong("the manifest is not signed by the key that it names")
    outside.openssl.verify_by_certificate(content, signature, pem)


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


def whole(archive: zipfile.ZipFile, name: str) -> bytes:
    """A file that is read into memory. Raises Wrong if it is too large for that."""
    size = entry_of(archive, name).file_size
    if size > LARGEST_IN_MEMORY:
        raise Wrong(f"{name} has {size} bytes; needed at most {LARGEST_IN_MEMORY}")
    return archive.read(name)


def entry_of(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """The entry of a file, which is compressed in one of the ways of a bundle. Raises Wrong."""
    entry = archive.getinfo(name)
    if entry.compress_type not in METHODS:
        raise Wrong(f"{name} is compressed by method {entry.compress_type}; needed 0 or 8")
    return entry


def verify_file(bundle: zipfile.ZipFile, entry: Json) -> None:
    """Checks size and digest of a file."""
    if size_and_digest(bundle, entry["name"]) != (entry["size"], entry["sha256"]):
        raise Wrong(f"{entry['name']} differs from the signed file in size or digest")


def size_and_digest(archive: zipfile.ZipFile, name: str) -> tuple[int, str]:
    """Size and SHA-256 of a file, which is read in pieces."""
    digest, size = hashlib.sha256(), 0
    with archive.open(entry_of(archive, name)) as file:
        while block := file.read(BLOCK):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


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
    bundle: zipfile.ZipFile, manifest: Json, tables: dict[str, Json], outside: Outside, say: Say
) -> None:
    """Verifies that the closings of closed days are in the signed Merkle tree of the audit trail.

    Unless the bundle is limited to a customer, compares the registers with their totals.
    """
    if not manifest["closed"]:
        say("A day was still open, so the audit trail has no closing to verify.")
        return
    of = manifest["of"]
    proofs = json.loads(whole(bundle, PROOF))["closings"]
    closings = [verify_proof(proof, outside, say) for proof in proofs]
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


def verify_proof(proof: Json, outside: Outside, say: Say) -> tuple[str, Json]:
    """Verifies the proof of a closing; returns its day and totals."""
    closing = verify_inclusion(proof, outside)
    kind, _colon, day = closing.subject.partition(":")
    if closing.action not in ("DAY_CLOSED", "DAY_CLOSED_BY_SIGNATURE") or kind != "day":
        raise Wrong(f"the proof is of {closing.label}, not of the closing of a day")
    if hashlib.sha256(compact(closing.details["totals"])).hexdigest() != closing.details["digest"]:
        raise Wrong("the totals of the closing do not match their digest")
    place = f"record {proof['leaf_index']} of the audit trail"
    say(f"The closing of {day} by {closing.actor} is {place};")
    say(f"its head is signed by the key {proof['head']['key_id']} (--log-key).")
    say_witnesses([proof], outside, say)
    return day, closing.details["totals"]


def verify_inclusion(proof: Json, outside: Outside) -> Decision:
    """Verifies that a record is in the signed Merkle tree of the audit trail; returns it."""
    head, record = proof["head"], parsed(proof)
    key = bytes.fromhex(proof["public_key"])
    if hashlib.sha256(key).hexdigest() != head["key_id"]:
        raise Wrong("the key of the tree head differs from that of the proof")
    signature = bytes.fromhex(head["signature"])
    what, text = "the signature of the tree head", text_of_head(head)
    outside.openssl.verify_by_key(what, text, signature, ED25519 + key)
    path = [bytes.fromhex(node) for node in proof["path"]]
    leaf = hashlib.sha256(b"\x00" + record.record.encode()).digest()
    if root_of(leaf, proof["leaf_index"], head["size"], path).hex() != head["root"]:
        raise Wrong(f"the audit record {record.label} is not in the signed tree")
    if (proof.get("tlog_proof") or "") != (tlog_proof_of(proof) if head.get("origin") else ""):
        raise Wrong(f"the tlog-proof of the audit record {record.label} says something else")
    if outside.policy is not None:
        verify_cosignatures(proof, outside.policy, outside.openssl)
    return record


def verify_cosignatures(proof: Json, policy: Policy, openssl: "Openssl") -> None:
    """Checks that a quorum of the policy has cosigned the head (https://c2sp.org/tlog-cosignature).

    Signatures of other witnesses are ignored.
    """
    head, signers = proof["head"], set()
    if policy.logs and head["key_id"] not in policy.logs:
        raise Wrong(f"a tree head is signed by the key {head['key_id']}, of no log of the policy")
    for line in proof.get("cosignatures", []):
        name, signed = cosignature_in(line)
        for witness, (key_name, public) in policy.witnesses.items():
            named = hashlib.sha256(key_name.encode() + b"\n" + COSIGNATURE + public).digest()
            if name == key_name and signed[:4] == named[:4]:
                time = int.from_bytes(signed[4:12], "big")
                text = f"cosignature/v1\ntime {time}\n".encode() + text_of_head(head)
                what = f"the signature of the witness {name}"
                openssl.verify_by_key(what, text, signed[12:], ED25519 + public)
                signers.add(witness)
    if not policy.is_met(signers, policy.quorum):
        who = ", ".join(sorted(signers)) or "no witness of the policy"
        raise Wrong(f"head {head['sequence']} of the audit trail is cosigned by {who}, not enough")


def cosignature_in(line: str) -> tuple[str, bytes]:
    """The name of the witness, and the bytes of a line of a signed note."""
    dash, name, encoded = line.removesuffix("\n").split(" ")
    if dash != "\N{EM DASH}":
        raise Wrong(f"found the line {line!r} among the cosignatures")
    return name, base64.b64decode(encoded, validate=True)


def say_witnesses(proofs: list[Json], outside: Outside, say: Say) -> None:
    """Says who cosigned the heads of these proofs, and whether that was verified."""
    lines = [line for proof in proofs for line in proof.get("cosignatures", [])]
    names = sorted({cosignature_in(line)[0] for line in lines})
    if outside.policy is not None:
        say(f"A quorum of the policy has cosigned each head: {', '.join(names) or 'none needed'}.")
    elif names:
        say(f"Cosigned by {', '.join(names)}: pass --policy to verify it.")


def text_of_head(head: Json) -> bytes:
    """The bytes that sign a tree head: the text of a checkpoint, if the log has an origin."""
    if not head.get("origin"):
        names = ("sequence", "at", "size", "root", "chain", "key_id")
        return compact([HEAD, *(head[name] for name in names)])
    lines = [head["origin"], head["size"], base64_of(head["root"]), f"head {head['sequence']}"]
    lines += [f"time {head['at']}", f"chain {base64_of(head['chain'])}"]
    return "".join(f"{line}\n" for line in lines).encode()


def tlog_proof_of(proof: Json) -> str:
    """The same proof as a file that other programs verify (https://c2sp.org/tlog-proof)."""
    head, key = proof["head"], LOG + bytes.fromhex(proof["public_key"])
    short_id = hashlib.sha256(head["origin"].encode() + b"\n" + key).hexdigest()[:8]
    lines = ["c2sp.org/tlog-proof@v1", f"index {proof['leaf_index']}"]
    lines += [*map(base64_of, proof["path"]), "", text_of_head(head).decode()]
    signed = base64_of(short_id + head["signature"])
    own = f"\N{EM DASH} {head['origin']} {signed}\n"
    return "\n".join([*lines, own]) + "".join(proof.get("cosignatures", []))


def base64_of(digits: str) -> str:
    """Hexadecimal digits in base64."""
    return base64.b64encode(bytes.fromhex(digits)).decode()


def verify_log_key(manifest: Json, path: str, known: str) -> None:
    """Checks the key of the audit log, if given."""
    if not known or not manifest["closed"]:
        return
    with zipfile.ZipFile(path) as bundle:
        require_log_key(json.loads(whole(bundle, PROOF))["closings"], known)
    tell("This is the given key of the audit log.")


def require_log_key(proofs: list[Json], known: str) -> None:
    """Checks that the heads of proofs are signed by this key."""
    for key_id in [proof["head"]["key_id"] for proof in proofs]:
        if key_id != known:
            raise Wrong(f"a tree head is signed by the key {key_id}, not by {known}")


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


class Period(NamedTuple):
    """From when to when a key signs, in microseconds since 1970; it may sign its revocation."""

    begins_at: int
    ends_at: float


class Persons:
    """The keys of the persons, and the verification of what they signed."""

    def __init__(self, keys: list[Json], outside: Outside) -> None:
        self.keys = {key["key"]: key for key in keys}
        self.outside = outside
        self.periods: dict[str, Period] = {}
        self.approving: set[str] = set()
        self.signed_at: set[str] = set()
        """The sites at which the verified signatures were made."""
        self.withheld: list[Decision] = []
        """The decisions whose signed text is withheld."""
        self.unapproved: list[str] = []
        """The keys that have no approval, in a customer's dossier."""

    def verify(self, line: Json) -> Decision:
        """Verifies a decision with the key of its person. Raises Wrong."""
        decision = decision_of(line)
        if not decision.key:
            self.require_early(decision)
            return decision
        key = self.keys.get(decision.key)
        if key is None:
            raise Wrong(f"{decision.label}: its key {decision.key[:16]} is not in {KEYS}")
        if key["account"] != decision.account:
            raise Wrong(f"{decision.label}: it is signed with a key of {key['person']}")
        period = self.period(decision.key)
        if not period.begins_at <= decision.at <= period.ends_at:
            raise Wrong(f"{decision.label}: its key {decision.key[:16]} was not in force then")
        verify_assertion(line, key, decision, self.outside.openssl)
        self.signed_at.add(key["site"])
        if line.get(WITHHELD):
            self.withheld.append(decision)
        return decision

    def require_early(self, decision: Decision) -> None:
        """Checks that a decision without signature is from the time before signatures."""
        since = self.outside.signed_since
        if since and decision.time >= since:
            raise Wrong(f"{decision.label}: it is said to be from before signatures, on {since}")

    def verify_keys(self) -> None:
        """Verifies every key and all decisions about it."""
        for key_id, key in self.keys.items():
            self.period(key_id)
            for line in key["decisions"][1:]:
                if self.verify(line).details["key"] != key_id:
                    raise Wrong(f"the key {key_id[:16]} has a decision about another key")

    def period(self, key_id: str) -> Period:
        """When a key is in force. Raises Wrong unless another person approved it."""
        if key_id in self.approving:
            raise Wrong(f"the key {key_id[:16]} was approved by itself, in a circle of keys")
        if key_id not in self.periods:
            self.approving.add(key_id)
            self.periods[key_id] = self.verified_period(self.keys[key_id])
            self.approving.remove(key_id)
        return self.periods[key_id]

    def verified_period(self, key: Json) -> Period:
        """The period of a key, by its signed approval and its first revocation."""
        key_id, person = key["key"], key["person"]
        what = f"the key {key_id[:16]} of {person}"
        if hashlib.sha256(octets(key["public_key"])).hexdigest() != key_id:
            raise Wrong(f"{what} is not the public key with this id")
        if octets(key["der"]) != der_of(octets(key["public_key"])):
            raise Wrong(f"{what} has another public key for openssl, or is of an unknown kind")
        if self.outside.keys.get(key_id) not in (None, "", person):
            raise Wrong(f"{what} is that of {self.outside.keys[key_id]} in the file of --keys")
        if not key["decisions"]:
            return self.unapproved_period(key, what)
        decisions = [parsed(line) for line in key["decisions"]]
        approvals = decisions[: 1 if decisions[0].action == ROOTED else APPROVERS]
        for approval in approvals:
            named = [approval.details.get(name) for name in ("key", "account", "person")]
            if named != [key_id, key["account"], person]:
                raise Wrong(f"{what} has the approval of another key")
            if approval.details.get("kind") != ("browser" if is_in_browser(key) else None):
                raise Wrong(f"{what} was approved as a key of another kind")
        revoked = [step.at for step in decisions if step.action == REVOKED]
        return Period(self.approved_from(key, approvals, what), min(revoked, default=float("inf")))

    def unapproved_period(self, key: Json, what: str) -> Period:
        """The period of a key in a customer's dossier, which does not say who approved it."""
        if "in_force_from" not in key:
            raise Wrong(f"{what} was approved by nobody")
        if self.outside.keys and key["key"] not in self.outside.keys:
            raise Wrong(f"{what} has no approval here and is not in --keys")
        self.unapproved.append(key["key"])
        return Period(microseconds_of(key["in_force_from"]), float("inf"))

    def approved_from(self, key: Json, approvals: list[Decision], what: str) -> int:
        """From when a key signs: the host approved it, or two other persons. Raises Wrong."""
        if approvals[0].action == ROOTED:
            if self.outside.keys and key["key"] not in self.outside.keys:
                raise Wrong(f"{what} was approved on the operator's host and is not in --keys")
            return approvals[0].at
        if [step.action for step in approvals] != [APPROVED] * APPROVERS:
            raise Wrong(f"{what} was not approved by two persons")
        for line in key["decisions"][:APPROVERS]:
            self.verify(line)
        if any(is_same_person(step, key["account"], key["person"]) for step in approvals):
            raise Wrong(f"{what} was approved by its holder")
        if is_same_person(approvals[0], approvals[1].account, approvals[1].actor):
            raise Wrong(f"{what} was approved twice by {approvals[0].actor}")
        return max(microseconds_of(step.details["in_force_from"]) for step in approvals)


def microseconds_of(text: str) -> int:
    """A time with its offset from UTC, as records have it."""
    return (dt.datetime.fromisoformat(text) - EPOCH) // dt.timedelta(microseconds=1)


def known_persons(path: str, signed_since: str) -> Outside:
    """What the command line says about the persons. Raises Wrong."""
    if signed_since and re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", signed_since) is None:
        raise Wrong("--signed-since is not a day like 2026-12-01")
    keys: dict[str, str] = {}
    if path:
        try:
            with open(path, encoding="utf-8") as file:
                lines = [line.split(None, 1) for line in file if line.strip()]
        except UNREADABLE as error:
            raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None
        keys = {key.lower(): " ".join(name).strip() for key, *name in lines}
        if not keys or any(re.fullmatch("[0-9a-f]{64}", key) is None for key in keys):
            raise Wrong(f"{path} is not a list of keys: 64 hexadecimal digits and a name in a line")
    return Outside(keys, signed_since)


def known_policy(path: str) -> "Policy | None":
    """The policy in a file; None without one. Raises Wrong."""
    if not path:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return policy_in(file.read())
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def policy_in(text: str) -> Policy:
    """The policy of a text. Raises Wrong."""
    logs: set[str] = set()
    witnesses: dict[str, tuple[str, bytes]] = {}
    groups: dict[str, tuple[int, list[str]]] = {"none": (0, [])}
    quorum = ""
    lines = [line.replace("\t", " ").split() for line in text.split("\n")]
    for line in lines:
        known = [*witnesses, *groups]
        kind, *words = line or ["#"]
        if kind == "log" and words:
            logs.add(hashlib.sha256(public_of(words[0], LOG)).hexdigest())
        elif kind == "witness" and words[1:] and words[0] not in known:
            witnesses[words[0]] = words[1].split("+")[0], public_of(words[1], COSIGNATURE)
        elif kind == "group" and words[1:] and words[0] not in known:
            used = [member for _needed, inside in groups.values() for member in inside]
            groups[words[0]] = group_of(words, set(known) - {*used, "none"})
        elif kind == "quorum" and len(words) == 1 and words[0] in known and not quorum:
            quorum = words[0]
        elif not kind.startswith("#"):
            raise Wrong(f"the policy has the wrong line {' '.join(line)}")
    if not quorum:
        raise Wrong("the policy has no line quorum")
    if len({public for _name, public in witnesses.values()}) < len(witnesses):
        raise Wrong("the policy has the same key for two witnesses")
    return Policy(logs, witnesses, groups, quorum)


def group_of(words: list[str], free: set[str]) -> tuple[int, list[str]]:
    """How many of which members a group needs; they are in no other group. Raises Wrong."""
    name, number, *members = words
    needed = {"any": 1, "all": len(members)}.get(number) or int(number)
    if not 1 <= needed <= len(members) or len(free & {*members}) < len(members):
        raise Wrong(f"the policy has the wrong group {name}")
    return needed, members


def public_of(verifier_key: str, kind: bytes) -> bytes:
    """The 32 bytes of a verifier key, NAME+ID+KEY. Raises Wrong."""
    name, short_id, encoded = verifier_key.split("+", 2)
    typed = base64.b64decode(encoded, validate=True)
    digest = hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()
    if typed[:1] != kind or len(typed[1:]) != KEY_OCTETS or digest[:8] != short_id:
        raise Wrong(f"{verifier_key} is no verifier key of this kind")
    return typed[1:]


def parsed(line: Json) -> Decision:
    """The decision of a line, not verified."""
    at, actor, account, action, subject, details = json.loads(line["record"])
    key = "" if line.get("from_before_signatures") else line.get("key", "none")
    return Decision(line["record"], at, actor, account, action, subject, details, key)


def decision_of(line: Json) -> Decision:
    """The decision of a line that has a signature or needs none. Raises Wrong."""
    decision = parsed(line)
    if decision.key and "signature" not in line:
        raise Wrong(f"{decision.label}: its person did not sign it")
    return decision


def verify_assertion(line: Json, key: Json, decision: Decision, openssl: "Openssl") -> None:
    """Checks that the key signed this decision (Web Authentication level 2, section 7.2).

    A key in a browser signs the client data alone, of a type of its own.
    """
    what, site = decision.label, key["site"]
    client_data = octets(line["client_data"])
    client = json.loads(client_data)
    if not line.get(WITHHELD):
        verify_text(decision, octets(line["signed_text"]), client["challenge"])
    if client["type"] != (BROWSER_SIGNS if is_in_browser(key) else "webauthn.get"):
        raise Wrong(f"{what}: the signature is of {client['type']}, not of a decision by this key")
    origin = urlsplit(client["origin"])
    host = origin.hostname or ""
    is_secure = origin.scheme == "https" or host == "localhost"
    if client.get("crossOrigin") or not is_secure or not f".{host}".endswith(f".{site}"):
        raise Wrong(f"{what}: the signature was made at {client['origin']}, not at {site}")
    signed_by = signed_by_browser if is_in_browser(key) else signed_by_authenticator
    signed, der = signed_by(line, key, what), octets(key["der"])
    openssl.verify_by_key(f"{what}: its signature", signed, octets(line["signature"]), der)


def is_in_browser(key: Json) -> bool:
    """Whether a browser keeps the key, not an authenticator. Bundles of before do not say."""
    return bool(key.get("is_browser"))


def signed_by_browser(line: Json, key: Json, what: str) -> bytes:
    """What a key in a browser signed: it has seen nothing, and is of P-256. Raises Wrong."""
    if line["authenticator_data"] or not octets(key["der"]).startswith(COSE_KEYS[0][1]):
        raise Wrong(f"{what}: it has no signature of a key in a browser")
    return octets(line["client_data"])


def signed_by_authenticator(line: Json, key: Json, what: str) -> bytes:
    """What an authenticator signed, which must have verified its user. Raises Wrong."""
    seen, site = octets(line["authenticator_data"]), key["site"]
    if seen[:32] != hashlib.sha256(site.encode()).digest():
        raise Wrong(f"{what}: the signature is for another site than {site}")
    if not seen[32] & USER_PRESENT or not seen[32] & USER_VERIFIED:
        raise Wrong(f"{what}: the key did not verify its user by PIN or biometrics")
    return seen + hashlib.sha256(octets(line["client_data"])).digest()


def verify_text(decision: Decision, text: bytes, challenge: str) -> None:
    """Checks that the signed text is this decision, and that its SHA-256 is the challenge."""
    if decision.record not in texts_in(text.decode()):
        raise Wrong(f"{decision.label}: the signed text is that of other decisions")
    digest = hashlib.sha256(text).digest()
    if base64.urlsafe_b64encode(digest).decode().rstrip("=") != challenge:
        raise Wrong(f"{decision.label}: the signature is of another text")


def der_of(cose: bytes) -> bytes:
    """The public key of an authenticator as openssl reads it; empty for another kind."""
    for pattern, before, after in COSE_KEYS:
        match = re.fullmatch(pattern, cose, re.DOTALL)
        if match:
            return before + b"".join(match.groups()) + after
    return b""


def texts_in(text: str) -> list[str]:
    """The texts of the decisions that were signed together, or the only one."""
    if not text.startswith("[["):
        return [text]
    texts, place = [], 1
    while place < len(text):
        _value, end = json.JSONDecoder().raw_decode(text, place)
        texts.append(text[place:end])
        place = end + 1
    return texts


def octets(text: str) -> bytes:
    """The octets of a text in base64."""
    return base64.b64decode(text, validate=True)


def is_same_person(decision: Decision, account: Any, name: str) -> bool:
    """Whether the decision is by this person: the same account, or the same name."""
    return decision.account == account or normal(decision.actor) == normal(name)


def normal(name: str) -> str:
    """A name in lower case with single spaces."""
    return " ".join(name.split()).casefold()


def json_lines(bundle: zipfile.ZipFile, name: str) -> Iterator[Json]:
    """The lines of a file of JSON Lines, one at a time."""
    with bundle.open(entry_of(bundle, name)) as file:
        while line := file.readline(LARGEST_IN_MEMORY + 1):
            if len(line) > LARGEST_IN_MEMORY:
                raise Wrong(f"{name} has a line of more than {LARGEST_IN_MEMORY} bytes")
            yield json.loads(line)


class Decisions:
    """The verified decisions of a bundle, and what the executed cases planned."""

    def __init__(self, signatures: Iterable[Json], keys: Iterable[Json], outside: Outside) -> None:
        self.persons = Persons(list(keys), outside)
        self.persons.verify_keys()
        self.of: dict[str, list[Decision]] = {}
        """The decisions by subject."""
        for line in signatures:
            decision = self.persons.verify(line)
            self.of.setdefault(decision.subject, []).append(decision)
        self.require_order()
        self.plans: dict[tuple[str, int], Plan] = {}
        self.cases: dict[str, tuple[Decision, Decision]] = {}
        self.settled: set[tuple[str, int]] = set()
        """The verified settlements of rounds."""

    def all(self) -> list[Decision]:
        """Every decision."""
        return [decision for decisions in self.of.values() for decision in decisions]

    def require_order(self) -> None:
        """Checks that no decision is said to be early after another of its kind was signed."""
        first: dict[str, int] = {}
        for decision in self.all():
            if decision.key:
                first[decision.kind] = min(decision.at, first.get(decision.kind, decision.at))
        for decision in self.all():
            if not decision.key and decision.at > first.get(decision.kind, decision.at):
                raise Wrong(
                    f"{decision.label}: it is no earlier decision: others were signed before"
                )

    def approved(self, case: str) -> tuple[Decision, Decision]:
        """The proposal and the approval of an executed case, once verified. Raises Wrong."""
        if case not in self.cases:
            self.cases[case] = self.verified_case(case)
        return self.cases[case]

    def verified_case(self, case: str) -> tuple[Decision, Decision]:
        """Checks that two persons signed the same effect, which is that of the plan."""
        proposal, approval = self.two_signers(case)
        plan = self.plans.get((case, proposal.details["step"]))
        is_planned = bool(proposal.key) and proposal.details["remedy"] != "credit"
        if is_planned and (plan is None or plan.digest != proposal.details["effect_digest"]):
            raise Wrong(f"case {case}: its plan is not the effect that its two persons signed")
        return proposal, approval

    def two_signers(self, case: str) -> tuple[Decision, Decision]:
        """The proposal and the approval of a case, by two persons who saw one effect."""
        steps = sorted(self.of.get(f"case:{case}", []), key=lambda step: step.details["step"])
        between = [step for step in steps if step.action not in ("CASE_REFERRED", "CASE_ALLOWED")]
        if [step.action for step in between[-2:]] != ["CASE_PROPOSED", "CASE_APPROVED"]:
            raise Wrong(f"case {case} was executed without a signed proposal and approval")
        proposal, approval = between[-2:]
        if is_same_person(approval, proposal.account, proposal.actor):
            raise Wrong(f"case {case} was proposed and approved by one person, {approval.actor}")
        for name in ("effect_digest", "remedy"):
            if approval.details.get(name) != proposal.details.get(name):
                raise Wrong(f"case {case}: its two persons signed different effects ({name})")
        return proposal, approval

    def verify_settlement(self, row: dict[str, str], *, has_all_bets: bool) -> None:
        """Checks a row of a register by which two persons settled a round."""
        round_, number = plain(row["round"]), int(row["settlement"])
        self.settled.add((round_, number))
        what = f"settlement {number} of round {round_}"
        if not row["approved_by"]:
            raise Wrong(f"{what} replaces another one, but names no two persons")
        case = CASE_OF_REASON.match(plain(row["reason"]))
        if case is None:
            decided = self.of.get(f"round:{round_}", [])
            if not any(step.details["settlement"] == number for step in decided):
                raise Wrong(f"{what} has no signed decision of its two persons")
            return
        proposal, approval = self.approved(case[1])
        if [plain(row["actor"]), plain(row["approved_by"])] != [proposal.actor, approval.actor]:
            raise Wrong(
                f"{what} names {row['actor']} and {row['approved_by']};"
                f" {proposal.actor} and {approval.actor} signed case {case[1]}"
            )
        if not row["reason"].endswith(proposal.details["note"]):
            raise Wrong(f"{what} has another reason than the proposal of case {case[1]}")
        if (row.get("settled_at") or row["at"]) < approval.time:
            raise Wrong(f"{what} is older than the approval of case {case[1]}")
        plan = self.plans.get((case[1], proposal.details["step"]))
        if plan is not None:
            planned = plan.rounds.get(round_)
            if planned is None or planned.after != number - 1:
                raise Wrong(f"{what} is not in the plan that the persons of case {case[1]} signed")
            if has_all_bets and not planned.agrees_with(row):
                raise Wrong(f"{what} pays other amounts than the persons of case {case[1]} signed")


class Planned(NamedTuple):
    """What a case planned for a round: cash and chips, and how much of it for void bets."""

    after: int
    void_bets: int
    refunded: int
    winnings: int
    void_chips: int
    chips: int

    def agrees_with(self, row: dict[str, str]) -> bool:
        """Whether a row of the corrections or malfunctions has these amounts."""
        if "event" in row:
            names = ("bets", "refunded_cents", "refunded_chips_cents")
            amounts = (self.void_bets, self.refunded, self.void_chips)
        else:
            names = ("refunded_after_cents", "winnings_after_cents", "returned_chips_after_cents")
            amounts = (self.refunded, self.winnings, self.chips)
        return tuple(int(row[name]) for name in names) == amounts


class Plan(NamedTuple):
    """The plan of a case by round, and the digest that both persons signed."""

    digest: str
    rounds: dict[str, Planned]


def plans_of(lines: Iterator[Json]) -> dict[tuple[str, int], Plan]:
    """The plans by case and step. The digest is over the rounds in the order of their ids."""
    plans: dict[tuple[str, int], Plan] = {}
    digests: dict[tuple[str, int], Any] = {}
    for line in lines:
        key = line["case"], line["step"]
        digest = digests.setdefault(key, hashlib.sha256())
        digest.update(f"{line['round_id']}\t{line['after']}\t{line['results']}\n".encode())
        if not is_id_of(int(line["round_id"], 16), line["round"]):
            raise Wrong(f"the plan of case {line['case']} has another round than {line['round']}")
        rounds = plans.setdefault(key, Plan("", {})).rounds
        if line["round"] in rounds:
            raise Wrong(f"the plan of case {line['case']} has round {line['round']} twice")
        rounds[line["round"]] = planned_of(line)
    return {key: Plan(digests[key].hexdigest(), plan.rounds) for key, plan in plans.items()}


def is_id_of(round_id: int, reference: str) -> bool:
    """Whether this is the id of the round: it ends with 74 bits of the SHA-256 of its name.

    Time and version of the UUID (version 7, RFC 9562) precede them; two bits lie between.
    """
    digest = int(hashlib.sha256(reference.encode()).hexdigest(), 16)
    high, low = digest >> 62 & 0xFFF, digest & ((1 << 62) - 1)
    return (round_id >> 64 & 0xFFF, round_id & ((1 << 62) - 1)) == (high, low)


def planned_of(line: Json) -> Planned:
    """The sums of a planned settlement."""
    bets = [bet.split(" ") for bet in line["results"].split(",") if bet]
    paid = [(outcome == "void", int(payout), int(chips)) for outcome, payout, chips in bets]
    void = [(payout, chips) for is_void, payout, chips in paid if is_void]
    chips = sum(chips for _is_void, _payout, chips in paid)
    void_chips = sum(chips for _payout, chips in void)
    refunded = sum(payout for payout, _chips in void) - void_chips
    winnings = sum(payout for _is_void, payout, _chips in paid) - chips - refunded
    return Planned(line["after"], len(void), refunded, winnings, void_chips, chips)


def plain(text: str) -> str:
    """A text of a CSV file without the apostrophe that protects spreadsheets."""
    return text[1:] if text[:1] == "'" and text[1:2] in tuple("=+-@\t\r") else text


def rows_of(bundle: zipfile.ZipFile, name: str) -> Iterator[dict[str, str]]:
    """The rows of a register, one at a time."""
    with bundle.open(name) as file:
        yield from csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""), delimiter=";")


def verify_decisions(bundle: zipfile.ZipFile, manifest: Json, outside: Outside, say: Say) -> None:
    """Verifies the signed decisions of a bundle, and that it reports none without them."""
    missing = {SIGNATURES, KEYS, PLANS} - set(bundle.namelist())
    if manifest["format"] == WITHOUT_SIGNATURES:
        last_day = manifest["of"]["last_day"]
        if missing != {SIGNATURES, KEYS, PLANS}:
            raise Wrong(f"the format {WITHOUT_SIGNATURES} has no signatures, but this bundle has")
        if outside.signed_since and last_day >= outside.signed_since:
            raise Wrong(f"the bundle of {last_day} carries no signatures of decisions")
        say("The bundle is of an earlier format and carries no signatures of decisions.")
        return
    if missing:
        raise Wrong(f"the bundle has no {', no '.join(sorted(missing))}")
    keys = json_lines(bundle, KEYS)
    decisions = Decisions(json_lines(bundle, SIGNATURES), keys, outside)
    decisions.plans = plans_of(json_lines(bundle, PLANS))
    if decisions.persons.withheld or decisions.persons.unapproved:
        raise Wrong("the bundle withholds signed texts or approvals, as only a dossier may")
    if manifest["of"]["contents"] == "registers":
        verify_settlements(bundle, manifest, decisions)
    else:
        verify_events(bundle, manifest, decisions)
    if manifest["closed"]:
        verify_closers(bundle, decisions)
    say_decisions(decisions.all(), decisions.persons, say)


def verify_settlements(bundle: zipfile.ZipFile, manifest: Json, decisions: Decisions) -> None:
    """Checks that two persons signed each settlement that the registers name them for."""
    has_all_bets = not manifest["of"]["customer"]
    for name in ("corrections", "malfunctions"):
        for row in rows_of(bundle, f"registers/{name}.csv"):
            if row["approved_by"] or int(row["settlement"] or 0) > 1:
                decisions.verify_settlement(row, has_all_bets=has_all_bets)
    for row in rows_of(bundle, "registers/stages.csv"):
        settlement = plain(row["round"]), int(row["settlement"] or 0)
        if settlement[1] > 1 and settlement not in decisions.settled:
            raise Wrong(f"settlement {settlement[1]} of round {settlement[0]} has no correction")


def verify_closers(bundle: zipfile.ZipFile, decisions: Decisions) -> None:
    """Checks that the persons signed the closings of the days that persons closed."""
    for proof in json.loads(whole(bundle, PROOF))["closings"]:
        closing = parsed(proof)
        signed = [decision.record for decision in decisions.of.get(closing.subject, [])]
        if closing.action in SIGNED_ACTIONS and closing.record not in signed:
            raise Wrong(f"{closing.label}: its person did not sign it")


def verify_events(bundle: zipfile.ZipFile, manifest: Json, decisions: Decisions) -> None:
    """Checks that the persons signed the events and alterations of the standard reports."""
    signed = SIGNED_ACTIONS | set(manifest["signed_actions"])
    known = {(step.time, step.action, step.subject, step.actor) for step in decisions.all()}
    for row in rows_of(bundle, "registers/significant_events.csv"):
        event = row["at"], row["action"], plain(row["subject"]), plain(row["actor"])
        if row["action"] in signed and event not in known:
            raise Wrong(f"{event[1]} of {event[2]} by {event[3]}: its person did not sign it")
        if row["action"] == "CASE_EXECUTED" and re.search("done [1-9]", row["details"]):
            decisions.approved(event[2].partition(":")[2])
    for row in rows_of(bundle, "registers/alterations.csv"):
        if row["case"]:
            decisions.approved(plain(row["case"]))
        elif row["approved_by"] and plain(row["subject"]) not in decisions.of:
            raise Wrong(
                f"{row['action']} of {row['subject']} has no signed decision of two persons"
            )


def say_decisions(decisions: list[Decision], persons: Persons, say: Say) -> None:
    """Says what was verified, and on whose word the keys are those of the persons."""
    signed = [decision for decision in decisions if decision.key]
    names = sorted({persons.keys[decision.key]["person"] for decision in signed})
    say(f"Decisions signed with their persons' keys: {len(signed)} ({', '.join(names) or '-'}).")
    if len(decisions) > len(signed):
        earlier = len(decisions) - len(signed)
        say(f"Decisions from before signatures, by the operator's own word: {earlier}.")
    if persons.signed_at:
        say(f"The persons signed at {', '.join(sorted(persons.signed_at))}.")
    for decision in persons.withheld:
        say(f"{decision.label} was signed together with decisions about others. Their text is")
        say("withheld here: the signature is valid, but cannot be compared with the decision.")
    if any(persons.keys[decision.key]["is_software"] for decision in signed):
        say("Some keys are those of a demo, in software: they prove nothing about a person.")
    for key in persons.keys.values():
        if is_in_browser(key):
            say(f"The key {key['key'][:16]} of {key['person']} is in a browser: its signatures")
            say("prove no PIN and no touch.")
    if signed and persons.outside.keys:
        say("The keys are those given with --keys, or were approved by their holders.")
    elif signed:
        say("Whose keys these are is the operator's own word: pass --keys to verify it.")


class Node(NamedTuple):
    """A node of a sum tree: its digest, and the sums of the leaves below it."""

    digest: bytes
    sums: Sums

    @property
    def packed(self) -> bytes:
        """As it is hashed. Raises Wrong for a negative sum, struct.error from 2^63 on."""
        if min(self.sums) < 0:
            raise Wrong(f"a node of a sum tree has a negative sum: {self.sums}")
        return NODE.pack(self.digest, *self.sums)


def leaf_of(commitment: bytes, sums: Sums) -> Node:
    """The leaf of a share."""
    return Node(hashlib.sha256(b"\x00" + Node(commitment, sums).packed).digest(), sums)


def parent_of(left: Node, right: Node) -> Node:
    """The node above two others."""
    digest = hashlib.sha256(b"\x01" + left.packed + right.packed).digest()
    return Node(digest, tuple(map(int.__add__, left.sums, right.sums)))


def verify_root(root: Node, total: Json, game: str) -> None:
    """Checks the root of a sum tree against digest and sums that a manifest or record states."""
    stated = {"leaves": total["leaves"], "root": root.digest.hex(), **dict(zip(SUMS, root.sums))}
    if stated != total:
        raise Wrong(f"a sum tree of {game} was computed as {stated}; stated is {total}")


def verify_totals(bundle: zipfile.ZipFile, manifest: Json, say: Say) -> None:
    """Checks that the sum trees of customers' shares give the registers and the tax base.

    Bundles of whole closed days have them, of all games or of one.
    """
    if "totals" not in manifest:
        say("The bundle is of an earlier release and has no sum trees of customers' totals.")
        return
    of, summed = manifest["of"], {}
    is_extract = of["first_day"] != of["last_day"] or of["table"] or of["rules"] or of["customer"]
    is_day = manifest["closed"] and of["contents"] == "registers" and not is_extract
    registered = registered_sums(bundle) if is_day else {}
    for game, total in manifest["totals"].items():
        root = root_of_leaves(bundle, f"totals/{game}.leaves", total["leaves"])
        verify_root(root, total, game)
        summed[game] = root.sums
        say(f"The sum tree of {game} has {total['leaves']} leaves and the root {total['root']}.")
    for game in sorted({*registered, *summed}):
        found, needed = (sums.get(game, NO_SUMS) for sums in (summed, registered))
        if found != needed:
            raise Wrong(f"the sum tree of {game} gives {found}, the registers give {needed}")
    if registered:
        say("The customers' shares add up to the registers and to the tax base.")


def root_of_leaves(bundle: zipfile.ZipFile, name: str, count: int) -> Node:
    """The root of a sum tree of 2^n leaves: a commitment and sums each, in ascending order."""
    entry, last = entry_of(bundle, name), b""
    if entry.file_size != count * NODE.size:
        raise Wrong(f"{name} has {entry.file_size} bytes; needed {count} leaves of {NODE.size}")
    roots: list[tuple[int, Node]] = []
    with bundle.open(entry) as file:
        for number in range(count):
            commitment, *sums = NODE.unpack(file.read(NODE.size))
            if commitment <= last:
                raise Wrong(f"leaf {number} of {name} is not in ascending order")
            last, height, node = commitment, 0, leaf_of(commitment, tuple(sums))
            while roots and roots[-1][0] == height:
                height, node = height + 1, parent_of(roots.pop()[1], node)
            roots.append((height, node))
    [(_height, root)] = roots
    return root


def registered_sums(bundle: zipfile.ZipFile) -> dict[str, Sums]:
    """The same sums of each game, by alignment and corrections, which also give the tax base."""
    sums: dict[str, Sums] = {}
    for name, counted in COUNTED.items():
        for row in rows_of(bundle, f"registers/{name}.csv"):
            if row.get("in_stages") != "1":
                game = row["rules"].partition("/")[0]
                added = (sum(cents_in(row, column) for column in columns) for columns in counted)
                sums[game] = tuple(map(int.__add__, sums.get(game, NO_SUMS), added))
    rows = rows_of(bundle, "registers/tax_base.csv")
    stated = {row["game"]: int(row["base_cents"]) for row in rows}
    bases = {game: of[0] - of[1] - of[2] + of[3] for game, of in sums.items()}
    if stated != bases:
        raise Wrong(f"the tax base is stated as {stated}; the registers give {bases}")
    return sums


def cents_in(row: dict[str, str], column: str) -> int:
    """The cents of a column in a row, negative for a column with a minus before its name."""
    cents = int(row[f"{column.lstrip('-')}_cents"] or 0)
    return -cents if column[0] == "-" else cents


def verify_customer(proof: Json, record: Decision) -> None:
    """Checks that the totals in a record of the audit trail count the shares of a customer."""
    day, customer = proof["day"], proof["customer"]
    if record.action != "DAY_EXPORTED" or record.details["of"]["last_day"] != day:
        raise Wrong(f"{record.label} does not state the totals of {day}")
    if not proof["games"] or not all(game["shares"] for game in proof["games"]):
        raise Wrong(f"the proof has no share of {customer} in the totals of {day}")
    for game in proof["games"]:
        name, counted = game["game"], NO_SUMS
        total = record.details["totals"][name]
        for number, share in enumerate(game["shares"], 1):
            if share["leaf"] not in range(total["leaves"]):
                raise Wrong(f"share {number} is leaf {share['leaf']} of {total['leaves']}")
            opened = bytes.fromhex(share["nonce"]) + compact([day, name, customer, number])
            leaf = leaf_of(hashlib.sha256(b"\x02" + opened).digest(), sums_in(share))
            verify_root(root_of_path(leaf, share["leaf"], share["path"]), total, name)
            counted = tuple(map(int.__add__, counted, leaf.sums))
        cents = ", ".join(f"{column} {sum_}" for column, sum_ in zip(SUMS, counted))
        tell(f"{customer} is counted in the totals of {name} on {day} with {cents}.")
    tell(f"The bundle with these totals has the manifest {record.details['manifest_sha256']}.")


def root_of_path(node: Node, place: int, path: list[Json]) -> Node:
    """The root above a leaf, by the other child of each node above it."""
    for height, sibling in enumerate(path):
        other = Node(bytes.fromhex(sibling["digest"]), sums_in(sibling))
        node = parent_of(other, node) if place >> height & 1 else parent_of(node, other)
    return node


def sums_in(node: Json) -> Sums:
    """The sums of a share or node of a proof."""
    return tuple(node[name] for name in SUMS)


def verify_chain(
    manifest: Json, paths: list[str], known: set[str], outside: Outside = NOTHING
) -> None:
    """Verifies the chain from this bundle back through the given ones."""
    earlier: dict[int, tuple[str, Json, str]] = {}
    for path in paths:
        previous, digest = verify(path, known, say=lambda _words: None, outside=outside)
        earlier[previous["number"]] = (path, previous, digest)
    chain = [manifest]
    while manifest["previous"] is not None and (manifest["number"] - 1) in earlier:
        path, previous, digest = earlier.pop(manifest["number"] - 1)
        if manifest["previous"] != {"number": previous["number"], "manifest_sha256": digest}:
            raise Wrong(f"bundle {manifest['number']} does not follow {path}: its manifest differs")
        if manifest["format"] == WITHOUT_SIGNATURES != previous["format"]:
            raise Wrong(f"bundle {manifest['number']} has no signatures, but the one before it has")
        if "totals" in previous and "totals" not in manifest:
            raise Wrong(f"bundle {manifest['number']} has no totals, but the one before it has")
        manifest = previous
        chain.append(manifest)
    require_one_root(chain)
    if earlier:
        raise Wrong(f"the bundles {sorted(earlier)} are not in the chain of this bundle")
    if (manifest["number"] == 1) != (manifest["previous"] is None):
        raise Wrong(f"bundle {manifest['number']} has no previous bundle")
    if chain[1:] or manifest["number"] == 1:
        tell(f"The chain is intact, back to bundle {manifest['number']}.")
    else:
        tell("The chain was not checked: pass the previous bundles as well.")


def require_one_root(chain: list[Json]) -> None:
    """Checks that no two bundles state different totals of the same day and game."""
    totals: dict[tuple[str, str], Json] = {}
    for manifest in chain:
        day = manifest["of"]["last_day"]
        for game, total in manifest.get("totals", {}).items():
            if totals.setdefault((day, game), total) != total:
                raise Wrong(f"bundle {manifest['number']} has another sum tree of {game} on {day}")


def is_json(path: str) -> bool:
    """Whether the file is a proof or a receipt."""
    try:
        with open(path, "rb") as file:
            return file.read(1) == b"{"
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def is_dossier(path: str) -> bool:
    """Whether the file is the dossier of a dispute."""
    try:
        with zipfile.ZipFile(path) as archive:
            return DOSSIER in archive.namelist()
    except UNREADABLE:
        return False


def verify_dossier_file(
    path: str, known: set[str], log_key: str, outside: Outside, *, sandbox: bool
) -> int:
    """Verifies the dossier of a dispute; returns the exit status."""
    try:
        with zipfile.ZipFile(path) as archive:
            content, signature = whole(archive, DOSSIER), whole(archive, DOSSIER_SIGNATURE)
            signers = sorted(signers_of(signature, outside))
            by_known = [key_id for key_id in signers if key_id in known]
            if known and not by_known:
                raise Wrong("the dossier is not signed by one of the keys given")
            [key_id] = by_known or signers[:1]
            verify_signature(content, signature, key_id, outside)
            dossier = json.loads(content)
            verify_dossier(archive, dossier, log_key, outside)
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None
    tell("The PDFs are not signed: each prints the SHA-256 of the signed file.")
    if not known:
        return say_unknown("dossier", key_id)
    what = f"dossier of dispute {dossier['dispute']['reference']}"
    status = say_right(what, dossier, sandbox=sandbox)
    tell(f"SHA-256 of its signed file: {hashlib.sha256(content).hexdigest()}")
    return status


def verify_dossier(archive: zipfile.ZipFile, dossier: Json, log_key: str, outside: Outside) -> None:
    """Verifies the files of a dossier, its proofs and its decisions."""
    verify_evidence(archive, dossier)
    proofs = [proof for proof in dossier["proofs"] if "leaf_index" in proof]
    for proof in proofs:
        verify_inclusion(proof, outside)
    if log_key:
        require_log_key(proofs, log_key)
    say_witnesses(proofs, outside, tell)
    tell(f"Audit records in the signed tree of the audit trail: {len(proofs)}.")
    for key_id in sorted({proof["head"]["key_id"] for proof in proofs}):
        tell(f"Its heads are signed by the key {key_id} (--log-key).")
    if dossier["format"] == "sabot-dossier/1":
        if outside.signed_since and dossier["made_at"] >= outside.signed_since:
            raise Wrong("the dossier carries no signatures of decisions")
        tell("The dossier is of an earlier format and carries no signatures of decisions.")
        return
    for name, lines in ((SIGNATURES, dossier["signatures"]), (KEYS, dossier["signing_keys"])):
        if list(json_lines(archive, name)) != lines:
            raise Wrong(f"{name} differs from the signed file")
    decisions = Decisions(dossier["signatures"], dossier["signing_keys"], outside)
    verify_verdicts(dossier, decisions)
    for subject in decisions.of:
        kind, _colon, case = subject.partition(":")
        if kind == "case" and decisions.of[subject][-1].action == "CASE_APPROVED":
            decisions.two_signers(case)
    say_decisions(decisions.all(), decisions.persons, tell)


def verify_evidence(archive: zipfile.ZipFile, dossier: Json) -> None:
    """Checks that the files are the submitted ones, and that there are no others."""
    files = set(archive.namelist()) - DOSSIER_FILES
    evidence = {name for name in files if name.startswith("evidence/")}
    if files - evidence:
        raise Wrong(f"files that are not in the dossier: {sorted(files - evidence)}")
    digests = sorted(size_and_digest(archive, name)[1] for name in evidence)
    if digests != sorted(file["sha256"] for file in dossier["evidence"]):
        raise Wrong("the evidence is not that of the dossier")


def verify_verdicts(dossier: Json, decisions: Decisions) -> None:
    """Checks that the steps that decide the dispute are what their persons signed."""
    signed = {
        (step.action, step.details["step"], step.actor): step.details["note"]
        for step in decisions.of.get(f"dispute:{dossier['dispute']['reference']}", [])
    }
    for step in dossier["steps"]:
        action = f"DISPUTE_{step['action'].upper()}"
        key = action, step["sequence"], step["actor"]
        if action in SIGNED_ACTIONS and signed.get(key) != step["note"]:
            raise Wrong(f"{action} by {step['actor']}: its person did not sign this text")


def verify_record_file(path: str, log_key: str, outside: Outside) -> int:
    """Verifies the proof of a record, or the receipt of a round; returns the exit status."""
    try:
        with open(path, "rb") as file:
            text = file.read(LARGEST_IN_MEMORY + 1)
        if len(text) > LARGEST_IN_MEMORY:
            raise Wrong(f"{path} has more than {LARGEST_IN_MEMORY} bytes")
        content = json.loads(text)
        proofs = proofs_in(content)
        for proof in proofs:
            verify_record(proof, outside)
        if "totals" in content:
            verify_customer(content, parsed(content["record"]))
        if log_key:
            require_log_key(proofs, log_key)
        say_witnesses(proofs, outside, tell)
    except UNREADABLE as error:
        raise Wrong(f"{path} cannot be read: {type(error).__name__}: {error}") from None
    if not log_key and not (outside.policy and outside.policy.logs):
        tell(f"NOT PROVED: {len(proofs)} records are in a tree signed by a key that you did not")
        tell("name. Ask the operator for the id of the log's key and pass it with --log-key.")
        return 1
    tell(f"RIGHT: {len(proofs)} records are in the signed tree of the audit trail.")
    return 0


def proofs_in(content: Json) -> list[Json]:
    """The proofs in a file: the only one, that of the totals, or those of a receipt. Raises Wrong.

    The name of the round in a receipt is signed by nobody; the records are, and they name theirs.
    """
    if "totals" in content:
        return [content["record"]]
    if "receipt" not in content:
        return [content]
    proofs: list[Json] = content["records"]
    if not proofs:
        raise Wrong("the receipt has no records")
    for record in map(parsed, proofs):
        if record.subject != f"round:{content['round']}":
            raise Wrong(f"the receipt of round {content['round']} has the record {record.label}")
    return proofs


def verify_record(proof: Json, outside: Outside) -> None:
    """Verifies the proof of a record, and the signature of its person if it is a decision."""
    record = verify_inclusion(proof, outside)
    tell(f"{record.label} is record {proof['leaf_index']} of the audit trail.")
    if "decision" in proof:
        if proof["decision"]["record"] != record.record:
            raise Wrong(f"{record.label}: the proof contains the signature of another decision")
        decisions = Decisions([proof["decision"]], proof["signing_keys"], outside)
        say_decisions(decisions.all(), decisions.persons, tell)
    elif record.action in SIGNED_ACTIONS:
        since = outside.signed_since
        if proof["proof"] != "sabot inclusion/1" or (since and record.time >= since):
            raise Wrong(f"{record.label}: its person did not sign it")
        tell("The proof is of an earlier format and carries no signature of this decision.")


class Openssl:
    """Verifies signatures by the program openssl.

    A browser has none: what runs there gives another class, with the same methods.
    """

    def certificates(self, signature: bytes) -> str:
        """The certificates in a signature, as PEM. Raises Wrong if it cannot be read."""
        with tempfile.TemporaryDirectory() as folder:
            paths = write(folder, signature=signature)
            return run_openssl(
                "the signature of the manifest cannot be read",
                ["pkcs7", "-inform", "DER", "-in", paths["signature"], "-print_certs"],
            )

    def verify_by_certificate(self, content: bytes, signature: bytes, pem: str) -> None:
        """Checks a signature (CMS, detached) by this certificate alone. Raises Wrong.

        -nointern and -certfile restrict openssl to it; -noverify skips the chain of trust, which
        its digest replaces. The validity period is not checked: bundles are kept longer than keys
        are valid.
        """
        with tempfile.TemporaryDirectory() as folder:
            paths = write(folder, content=content, signature=signature, signer=pem.encode())
            run_openssl(
                "the signature of the manifest is invalid",
                [
                    *("cms", "-verify", "-binary", "-inform", "DER", "-in", paths["signature"]),
                    *("-content", paths["content"], "-nointern", "-certfile", paths["signer"]),
                    *("-noverify", "-out", os.devnull),
                ],
            )

    def verify_by_key(self, what: str, signed: bytes, signature: bytes, der: bytes) -> None:
        """Checks a signature by a key in DER: Ed25519, or ECDSA or RSA with SHA-256. Raises Wrong.

        ``what`` is the beginning of the message.
        """
        with tempfile.TemporaryDirectory() as folder:
            paths = write(folder, signed=signed, signature=signature, key=der)
            if der.startswith(ED25519):
                arguments = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER"]
                arguments += ["-inkey", paths["key"], "-rawin", "-in", paths["signed"]]
                arguments += ["-sigfile", paths["signature"]]
            else:
                arguments = ["dgst", "-sha256", "-keyform", "DER", "-verify", paths["key"]]
                arguments += ["-signature", paths["signature"], paths["signed"]]
            run_openssl(f"{what} is invalid", arguments)


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
