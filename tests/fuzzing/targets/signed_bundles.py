"""Bundles, dossiers and proofs that a stranger signed with keys of his own.

Every signature verifies, since whoever signs a file can sign any content: what is left are the
checks of the content, which must end in a word and not in a traceback.
"""

import csv
import hashlib
import io
import json
import ssl
import zipfile
from base64 import b64decode, b64encode, urlsafe_b64encode
from typing import Any, Final

from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, kept_inputs
from tests.fuzzing.verifier import run_verifier

_DER: Final = b"\x30\x03\x02\x01\x07"
_KEY: Final = hashlib.sha256(_DER).hexdigest()
_SIGNATURE: Final = b"\x30\x00"


def check(data: bytes) -> None:
    """The files of the bundle as one JSON object, texts and tables as lists."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(tree, dict):
        known = ("--key-id", _KEY) if len(data) % 2 else ()
        run_verifier(_written(tree), *known, openssl=_says_yes)


def _says_yes(_what: str, _arguments: list[str]) -> str:
    return ssl.DER_cert_to_PEM_cert(_DER)


def _written(tree: dict[str, Any]) -> bytes:
    if not tree.keys() & {"manifest.json", "dossier.json"}:
        return json.dumps(_with_texts(tree)).encode()
    files = {name: _content(name, value) for name, value in tree.items()}
    manifest = tree.get("manifest.json")
    if isinstance(manifest, dict):
        files["manifest.json"] = _signed(manifest, files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(_name(name), content)
    body = packed.getvalue()
    return body + hashlib.sha256(body).hexdigest().encode()


def _signed(manifest: dict[str, Any], files: dict[str, bytes]) -> bytes:
    """The manifest with the key of this signer, and the digests of the files that it lists."""
    manifest = {**manifest, "key_id": manifest.get("key_id", _KEY) and _KEY}
    entries = manifest.get("files")
    for entry in entries if isinstance(entries, list) else ():
        content = files.get(str(entry.get("name"))) if isinstance(entry, dict) else None
        if content is not None and {"size", "sha256"} <= entry.keys():
            entry |= {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return json.dumps(manifest).encode()


def _content(name: str, value: Any) -> bytes:
    if name.endswith(".p7s"):
        return _SIGNATURE
    if name.endswith(".jsonl") and isinstance(value, list):
        return b"".join(json.dumps(_with_texts(line)).encode() + b"\n" for line in value)
    if name.endswith(".csv") and isinstance(value, list):
        table = io.StringIO(newline="")
        rows = [row if isinstance(row, list) else [row] for row in value]
        csv.writer(table, delimiter=";").writerows(rows)
        return table.getvalue().encode(errors="replace")
    return json.dumps(_with_texts(value)).encode()


def _with_texts(value: Any) -> Any:
    """Records as the canonical texts that are hashed and signed, wherever they are."""
    if isinstance(value, list):
        return [_with_texts(item) for item in value]
    if not isinstance(value, dict):
        return value
    texts = {name: _with_texts(item) for name, item in value.items()}
    if isinstance(record := value.get("record"), list):
        text = json.dumps(record, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
        texts["record"] = text
        if {"signed_text", "client_data"} <= texts.keys():
            signed = text.encode(errors="replace")
            texts["signed_text"] = b64encode(signed).decode()
            texts["client_data"] = _client_data(texts["client_data"], signed)
    return texts


def _client_data(given: Any, signed: bytes) -> Any:
    """The client data with the challenge of this text, if it is any."""
    try:
        client = json.loads(b64decode(given))
        challenge = urlsafe_b64encode(hashlib.sha256(signed).digest()).decode().rstrip("=")
        return b64encode(json.dumps({**client, "challenge": challenge}).encode()).decode()
    except (ValueError, TypeError):
        return given


def _name(name: str) -> str:
    return name.encode("utf-8", "replace").decode()


def seeds() -> list[bytes]:
    """Those in the repository."""
    return []


def _kept() -> list[bytes]:
    return [path.read_bytes() for path in kept_inputs("signed_bundles")]


TARGET = Target(check, seeds, JsonMutation(_kept()), longest=40_000)
