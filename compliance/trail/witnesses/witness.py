#!/usr/bin/env python3
"""Follows Sabot's audit log and keeps what it saw: Python 3.9 and OpenSSL 3 only, no part of Sabot.

    python3 witness.py make-key FOLDER NAME
    python3 witness.py follow FOLDER ADDRESS --log VERIFIER_KEY [--every SECONDS] [--once]
    python3 witness.py serve FOLDER --log VERIFIER_KEY [--listen HOST:PORT]

For the regulator, an auditor, or anybody who wants to know that the operator shows everybody one
log and never changes it. ADDRESS is that of the log, as https://casino.example/log/, and
VERIFIER_KEY its key, NAME+ID+KEY, which the operator has published elsewhere; repeat --log after
a change of keys. FOLDER is the witness's own:

    checkpoint    the last signed head that was seen and verified, with the witness's cosignature
    witness.pem   the witness's key, by make-key, which prints its verifier key; NAME is its name
                  in the world, as regulator.example/witness
    evidence-N    two signed heads that cannot both be true, and hashes that show it to anybody

Each turn of follow reads the checkpoint, verifies its signature, and computes from the tiles of the
log that it has only grown since. So it finds, within one turn (--every, 60 seconds):

- WRONG: a log with another history. The records seen before are not its beginning, by the log's
  own signatures. Compare `checkpoint` with that of another witness to find two histories in time.
  The witness ends;
- ALARM: a log that was rolled back to an earlier head, shows what it has not signed, or stands
  still (--frozen, 60 minutes without a new record). The witness goes on.

With serve the log comes to the witness (C2SP tlog-witness): it posts its head and a proof of growth
to http://HOST:PORT/add-checkpoint, and gets the witness's signature. Everybody can read the last
one at http://HOST:PORT/checkpoint. A head that does not continue the last one is refused; it says
WRONG for two signed heads of one size, and ALARM for a log that stands still (--frozen). Only the
log can sign heads, but anybody may post old ones, so other refusals are printed without an alarm.
Encrypt the way to it by a proxy.

The forms are those of transparency logs (https://c2sp.org: signed-note, tlog-checkpoint,
tlog-tiles, tlog-cosignature, tlog-witness), so that other programs read what is kept, and other
witnesses can follow the log. Exit status: 0 after --once if the log has grown rightly; 1 if it is
wrong or for an alarm; 2 if it cannot be read, or for an invalid argument.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

LOG, COSIGNATURE = b"\x01", b"\x04"
"""Kinds of signatures: of a log over its checkpoint, of a witness over time and checkpoint."""
ED25519 = bytes.fromhex("302a300506032b6570032100")
"""What comes before the 32 bytes of a public key in DER."""
DASH = "\N{EM DASH}"
WIDTH, LEVELS, HASH = 256, 8, 32
LARGEST = 1 << 16
TIMEOUT = 30
MOST_HASHES, MOST_DIGITS = 63, 19
OK, BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT, TOO_LARGE = 200, 400, 403, 404, 409, 413
NO_PROOF, BROKEN = 422, 500


Hashes = dict[tuple[int, int], bytes]
"""The hashes of complete subtrees, by level (0: leaves) and index."""
Subtree = Callable[[int, int], bytes]
"""Returns one of them."""


class Wrong(Exception):
    """The log has signed two histories. ``hashes`` show it, where the two heads alone do not."""

    def __init__(self, text: str, hashes: Hashes) -> None:
        super().__init__(text)
        self.hashes = hashes


class Alarm(Exception):
    """The log shows something that the operator may be able to explain."""


class Unsigned(Alarm):
    """None of the keys has signed the checkpoint."""


class Refused(Exception):
    """The witness does not sign: the status and the text of its answer (C2SP tlog-witness)."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Unreadable(Exception):
    """The log cannot be read now."""


class Key(NamedTuple):
    """A public key with the name under which it signs."""

    name: str
    kind: bytes
    public: bytes

    @property
    def short_id(self) -> bytes:
        """The four bytes with which its signatures begin."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[:4]

    def __str__(self) -> str:
        """The verifier key."""
        typed = base64.b64encode(self.kind + self.public).decode()
        return f"{self.name}+{self.short_id.hex()}+{typed}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """From a verifier key. Raises ValueError."""
        name, short_id, encoded = text.split("+", 2)
        typed = base64.b64decode(encoded, validate=True)
        key = cls(name, typed[:1], typed[1:])
        if key.short_id.hex() != short_id or key.kind != LOG or len(key.public) != HASH:
            raise ValueError("it is not an Ed25519 key with its own id")
        return key


class Checkpoint(NamedTuple):
    """A signed head of the log."""

    text: str
    """What is signed."""
    line: str
    """The log's signature."""
    origin: str
    size: int
    root: bytes

    @property
    def note(self) -> str:
        """As the log shows it."""
        return f"{self.text}\n{self.line}\n"


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="witness.py", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make-key", help="makes the witness's key")
    make.add_argument("folder", type=Path)
    make.add_argument("name", help="the witness's name in the world, without spaces and +")
    follow = commands.add_parser("follow", help="follows a log")
    follow.add_argument("folder", type=Path)
    follow.add_argument("address", type=web_address)
    follow.add_argument("--every", type=float, default=60, metavar="SECONDS")
    follow.add_argument("--once", action="store_true", help="one turn, and its exit status")
    serve = commands.add_parser("serve", help="signs heads that the log posts")
    serve.add_argument("folder", type=Path)
    serve.add_argument("--listen", type=host_and_port, default="127.0.0.1:8081", metavar="ADDRESS")
    for command in (follow, serve):
        command.add_argument("--log", action="append", required=True, type=Key.parse, metavar="KEY")
        command.add_argument("--frozen", type=float, default=60, metavar="MINUTES")
    arguments = parser.parse_args()
    if arguments.command == "serve":
        return serve_log(arguments)
    if arguments.command == "make-key":
        return make_key(arguments.folder, arguments.name)
    return follow_log(arguments)


def web_address(text: str) -> str:
    """With a slash at its end. Raises ValueError."""
    if not text.startswith(("https://", "http://")):
        raise ValueError(f"found {text}; needed https://")
    return text.rstrip("/") + "/"


def host_and_port(text: str) -> tuple[str, int]:
    """Where to listen. Raises ValueError."""
    host, _colon, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def make_key(folder: Path, name: str) -> int:
    """Makes the key, once, and prints its public part."""
    if not name or set(name) & set(" +\n"):
        print(f"found the name {name!r}; needed one without spaces and +", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    pem = openssl("genpkey", "-algorithm", "ed25519")
    file = os.open(folder / "witness.pem", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as written:
        written.write(f"{name}\n".encode() + pem)
    print(own_key(folder))
    return 0


def follow_log(arguments: argparse.Namespace) -> int:
    """Turn by turn, until the log is wrong; with --once, one turn."""
    folder, address = arguments.folder, arguments.address
    folder.mkdir(parents=True, exist_ok=True)
    changed = time.monotonic()
    before = file_age(folder / "checkpoint")
    while True:
        status = 0
        try:
            if take_turn(folder, address, arguments.log):
                changed, before = time.monotonic(), 0.0
        except Wrong as error:
            tell(f"WRONG: {error}")
            return 1
        except Alarm as error:
            tell(f"ALARM: {error}")
            status = 1
        except Unreadable as error:
            tell(f"not read: {error}")
            status = 2
        still = (time.monotonic() - changed + before) / 60
        if still > arguments.frozen:
            tell(f"ALARM: stands still, no new record for {still:.0f} minutes")
            status = status or 1
        if arguments.once:
            return status
        time.sleep(arguments.every)


def take_turn(folder: Path, address: str, keys: list[Key]) -> bool:
    """Verifies the log and keeps its new head; whether it has grown. Raises all three."""
    file = folder / "checkpoint"
    kept = opened(file.read_text("utf-8"), keys) if file.exists() else None
    note = fetched(address + "checkpoint").decode(errors="replace")
    shown = opened(note, keys)
    if kept is None:
        tell(f"begins with {shown.size} records of {shown.origin}")
    elif shown.origin != kept.origin:
        raise Alarm(f"found the log {shown.origin}; needed {kept.origin}, which was seen before")
    else:
        try:
            require_growth(kept, shown, address)
        except Wrong as error:
            keep_evidence(folder, kept, shown, error.hashes)
            raise
        if (shown.size, shown.root) == (kept.size, kept.root):
            return False
        tell(f"has grown by {shown.size - kept.size} to {shown.size} records")
    store(file, shown.note + cosigned(folder, shown))
    return True


def serve_log(arguments: argparse.Namespace) -> int:
    """Answers the log until the process is ended."""
    if not (arguments.folder / "witness.pem").exists():
        print(f"found no key in {arguments.folder}; needed one, by make-key", file=sys.stderr)
        return 2
    with Server(arguments.listen, arguments.folder, arguments.log, arguments.frozen) as server:
        tell(f"{own_key(arguments.folder)} listens at {server.server_port}")
        server.serve_forever(poll_interval=1)
    return 0


class Server(ThreadingHTTPServer):
    """Signs what the log posts, one head after the other."""

    daemon_threads = True

    def __init__(
        self, address: tuple[str, int], folder: Path, keys: list[Key], frozen: float
    ) -> None:
        super().__init__(address, Handler)
        self.folder, self.keys, self.frozen = folder, keys, frozen
        self.one_head = threading.Lock()
        self.changed, self.warned = time.monotonic(), -float("inf")
        self.before = file_age(folder / "checkpoint")

    def service_actions(self) -> None:
        """Says each --frozen minutes that the log stands still."""
        now = time.monotonic()
        still = (now - self.changed + self.before) / 60
        if still > self.frozen and (now - self.warned) / 60 > self.frozen:
            self.warned = now
            tell(f"ALARM: stands still, no new head for {still:.0f} minutes")

    def cosign(self, body: str) -> str:
        """The signature over the checkpoint in a request; it is stored first. Raises Refused."""
        old, proof, note = request_in(body)
        file = self.folder / "checkpoint"
        if note.partition("\n")[0] not in {key.name for key in self.keys}:
            raise Refused(NOT_FOUND, "the origin is that of no log that this witness knows")
        try:
            shown = opened(note, self.keys)
        except Unsigned as error:
            raise Refused(FORBIDDEN, str(error)) from error
        except Alarm as error:
            raise Refused(BAD_REQUEST, str(error)) from error
        with self.one_head:
            try:
                kept = opened(file.read_text("utf-8"), self.keys) if file.exists() else None
            except Alarm as error:
                raise Refused(BROKEN, f"this witness cannot read its own file: {error}") from error
            self.require_growth(kept, shown, old, proof)
            signature = cosigned(self.folder, shown)
            store(file, shown.note + signature)
        if kept is None or kept.size < shown.size:
            self.changed, self.before = time.monotonic(), 0.0
        return signature

    def require_growth(
        self, kept: Checkpoint | None, shown: Checkpoint, old: int, proof: list[bytes]
    ) -> None:
        """Raises Refused unless the head continues the one that was signed last."""
        if old > shown.size:
            raise Refused(BAD_REQUEST, f"found the old size {old}; needed {shown.size} at most")
        size = 0 if kept is None else kept.size
        if kept is not None and size == shown.size and kept.root != shown.root:
            if not [*self.folder.glob("evidence-*")]:
                keep_evidence(self.folder, kept, shown, {})
            tell(f"WRONG: ANOTHER HISTORY: found two logs of {size} records")
            raise Refused(CONFLICT, f"another log of {size} records was signed before")
        if old != size:
            raise Refused(CONFLICT, f"{size}\n")
        if kept is None or old in (0, shown.size):
            if proof:
                raise Refused(NO_PROOF, "found a proof of growth; needed none")
        elif not is_grown(kept, shown, proof):
            raise Refused(NO_PROOF, f"the log does not begin with the {old} records seen before")


class Handler(BaseHTTPRequestHandler):
    """A request to the witness."""

    server: Server
    timeout = TIMEOUT
    server_version, sys_version = "witness", ""

    def do_GET(self) -> None:
        """The head that was signed last."""
        file = self.server.folder / "checkpoint"
        if self.path != "/checkpoint" or not file.exists():
            self.answer(NOT_FOUND, "needed /checkpoint, once a head was signed")
        else:
            self.answer(OK, file.read_text("utf-8"))

    def do_POST(self) -> None:
        """The signature over a new head."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self.answer(NOT_FOUND, "needed /add-checkpoint")
        elif not length.isdigit() or int(length) > LARGEST:
            self.answer(TOO_LARGE, f"needed a length, of {LARGEST} bytes at most")
        else:
            try:
                body = self.rfile.read(int(length)).decode(errors="replace")
                self.answer(OK, self.server.cosign(body))
            except Refused as refusal:
                tell(f"refused with {refusal.status}: {str(refusal).strip()}")
                self.answer(refusal.status, str(refusal))
            except SystemExit as failure:  # of openssl
                tell(f"not signed: {failure}")
                self.answer(BROKEN, "the witness cannot sign now")

    def answer(self, status: int, text: str) -> None:
        """Sends an answer."""
        is_size = status == CONFLICT and is_number(text.strip())
        kind = "text/x.tlog.size" if is_size else "text/plain; charset=utf-8"
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Only refusals are printed."""


def request_in(body: str) -> tuple[int, list[bytes], str]:
    """The old size, the proof of growth and the checkpoint of a request. Raises Refused."""
    lines, _blank, note = body.partition("\n\n")
    first, *proof = lines.split("\n")
    word, _space, size = first.partition(" ")
    if word != "old" or not is_number(size) or len(proof) > MOST_HASHES:
        raise Refused(
            BAD_REQUEST, "needed a line `old SIZE`, up to 63 hashes, a blank line, a checkpoint"
        )
    try:
        return int(size), [from_base64(line) for line in proof], note
    except Alarm as error:
        raise Refused(BAD_REQUEST, str(error)) from error


def is_number(text: str) -> bool:
    """Whether it is a size as checkpoints write it."""
    is_short = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return is_short and str(int(text)) == text


def is_grown(old: Checkpoint, new: Checkpoint, proof: list[bytes]) -> bool:
    """Whether the proof shows that the new log begins with the old one (RFC 9162, 2.1.4.2)."""
    hashes = [old.root, *proof] if old.size & (old.size - 1) == 0 else proof
    if not hashes:
        return False
    place, last = old.size - 1, new.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node(sibling, first), node(sibling, second)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            second = node(second, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old.root and second == new.root


def opened(note: str, keys: list[Key]) -> Checkpoint:
    """The checkpoint, signed by one of the keys. Raises Alarm."""
    text, blank, lines = note.rpartition("\n\n")
    text += "\n"
    for line in lines.split("\n"):
        for key in keys:
            if blank and line.startswith(f"{DASH} {key.name} "):
                signature = from_base64(line.split(" ", 2)[2])
                if signature[:4] == key.short_id:
                    require_signature(key, text, signature[4:])
                    return parsed(text, line, key)
    raise Unsigned("found a checkpoint that none of the keys of --log has signed")


def parsed(text: str, line: str, key: Key) -> Checkpoint:
    """What a signed text says. Raises Alarm."""
    origin, size, root, *_more = [*text.split("\n"), "", ""]
    if origin != key.name or not is_number(size):
        raise Alarm(f"found the origin {origin!r} and the size {size!r} in a checkpoint")
    hashed = from_base64(root)
    if len(hashed) != HASH:
        raise Alarm(f"found the root {root!r} in a checkpoint")
    return Checkpoint(text, line, origin, int(size), hashed)


def require_growth(old: Checkpoint, new: Checkpoint, address: str) -> None:
    """Raises Wrong or Alarm unless the new log begins with the old one."""
    if new.size < old.size:
        raise Alarm(f"ROLLED BACK: found {new.size} records; {old.size} were seen before")
    if new.size == old.size and new.root != old.root:
        raise Wrong(f"ANOTHER HISTORY: found two logs of {new.size} records", {})
    if old.size in (new.size, 0):
        return
    tiles: dict[str, bytes] = {}
    used: Hashes = {}

    def subtree(level: int, index: int) -> bytes:
        used[level, index] = node_from_tiles(address, tiles, new.size, level, index)
        return used[level, index]

    # Both roots from the same subtrees: those of which the old log consists, and what was added.
    kept = {place: subtree(*place) for place in peaks(old.size)}
    if root_over(0, new.size, old.size, kept, subtree) != new.root:
        raise Alarm("found tiles that do not give the signed root")
    if joined([*kept.values()]) != old.root:
        raise Wrong(
            f"ANOTHER HISTORY: the first {old.size} records are not those seen before", used
        )


def root_over(low: int, high: int, old: int, kept: Hashes, subtree: Subtree) -> bytes:
    """The hash over these leaves, from subtrees of the first ``old`` ones and of what follows."""
    count = high - low
    level = count.bit_length() - 1
    if count == 1 << level and low % count == 0:
        if (level, low >> level) in kept:
            return kept[level, low >> level]
        if low >= old:
            return subtree(level, low >> level)
    middle = low + (1 << ((count - 1).bit_length() - 1))
    return node(
        root_over(low, middle, old, kept, subtree), root_over(middle, high, old, kept, subtree)
    )


def peaks(size: int) -> list[tuple[int, int]]:
    """Level and index of the complete subtrees of a log of this size, the largest first."""
    places, start = [], 0
    while start < size:
        level = (size - start).bit_length() - 1
        places.append((level, start >> level))
        start += 1 << level
    return places


def joined(hashes: list[bytes]) -> bytes:
    """The root over these subtrees."""
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = node(left, root)
    return root


def node(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees (RFC 6962)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def node_from_tiles(
    address: str, tiles: dict[str, bytes], size: int, level: int, index: int
) -> bytes:
    """The hash of a complete subtree, from the tile that has it or what lies below it."""
    height = level % LEVELS
    first, count = index << height, 1 << height
    tile, place = divmod(first, WIDTH)
    width = min(WIDTH, (size >> (level - height)) - tile * WIDTH)
    *above, last = (group.zfill(3) for group in f"{tile:,}".split(","))
    name = "/".join([*(f"x{group}" for group in above), last])
    name = f"tile/{level // LEVELS}/{name}{'' if width == WIDTH else f'.p/{width}'}"
    if name not in tiles:
        tiles[name] = fetched(address + name)
        if len(tiles[name]) != width * HASH:
            raise Unreadable(f"found {len(tiles[name])} bytes in {name}; needed {width * HASH}")
    row = [tiles[name][each * HASH :][:HASH] for each in range(place, place + count)]
    while len(row) > 1:
        row = [node(*pair) for pair in zip(row[::2], row[1::2])]
    return row[0]


def fetched(address: str) -> bytes:
    """What is there. Raises Unreadable."""
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
            content: bytes = answer.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{address}: {error}") from error
    if len(content) > LARGEST:
        raise Unreadable(f"{address}: found more than {LARGEST} bytes")
    return content


def require_signature(key: Key, text: str, signature: bytes) -> None:
    """Raises Alarm unless the key has signed the text."""
    with tempfile.TemporaryDirectory() as name:
        files = [Path(name, part) for part in ("key", "text", "signature")]
        for file, content in zip(files, (ED25519 + key.public, text.encode(), signature)):
            file.write_bytes(content)
        options = ("-pubin", "-keyform", "DER", "-inkey", str(files[0]), "-rawin")
        command = ("pkeyutl", "-verify", *options, "-in", str(files[1]), "-sigfile", str(files[2]))
        if b"Verified Successfully" not in openssl(*command, may_fail=True):
            raise Unsigned(f"found an invalid signature of {key.name}")


def cosigned(folder: Path, shown: Checkpoint) -> str:
    """The witness's signature over what it has verified and when; none without a key."""
    if not (folder / "witness.pem").exists():
        return ""
    at = int(time.time())
    with tempfile.TemporaryDirectory() as name:
        text = Path(name, "text")
        text.write_bytes(f"cosignature/v1\ntime {at}\n{shown.text}".encode())
        options = ("-inkey", str(folder / "witness.pem"), "-rawin", "-in", str(text))
        signature = openssl("pkeyutl", "-sign", *options)
    key = own_key(folder)
    signed = base64.b64encode(key.short_id + at.to_bytes(8, "big") + signature).decode()
    return f"{DASH} {key.name} {signed}\n"


def own_key(folder: Path) -> Key:
    """The public part of the witness's key."""
    file = folder / "witness.pem"
    der = openssl("pkey", "-in", str(file), "-pubout", "-outform", "DER")
    return Key(file.read_text("utf-8").split("\n", 1)[0], COSIGNATURE, der[-HASH:])


def openssl(*arguments: str, may_fail: bool = False) -> bytes:
    """What openssl prints. Ends the command if it fails."""
    try:
        ended = subprocess.run(["openssl", *arguments], capture_output=True, check=not may_fail)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"").decode(errors="replace")
        sys.exit(f"openssl {arguments[0]} failed: {said or error}; needed OpenSSL 3")
    return ended.stdout


def store(file: Path, text: str) -> None:
    """Replaces the file at once, also if the machine stops."""
    new = file.with_suffix(".new")
    with new.open("w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    new.replace(file)


def keep_evidence(folder: Path, before: Checkpoint, now: Checkpoint, hashes: Hashes) -> None:
    """Keeps both signed heads in a new folder, and the hashes that give one root alone."""
    place = folder / f"evidence-{len([*folder.glob('evidence-*')]) + 1}"
    place.mkdir()
    store(place / "seen-before", before.note)
    store(place / "shown-now", now.note)
    lines = [f"{level} {index} {found.hex()}\n" for (level, index), found in hashes.items()]
    store(place / "subtrees", "".join(lines))
    tell(f"both signed heads are in {place}")


def file_age(file: Path) -> float:
    """Seconds since it was written; 0 if there is none."""
    return time.time() - file.stat().st_mtime if file.exists() else 0


def from_base64(text: str) -> bytes:
    """The bytes. Raises Alarm."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Alarm(f"found {text!r}; needed base64") from error


def tell(text: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
