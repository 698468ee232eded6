"""The file of the key that signs tree heads, readable for the worker's account alone.

The last head that was signed with it is stored next to it (``NAME.head.json``), so that the worker
never signs a log that does not continue that head, even if the database was restored or changed.
The peaks of its tree are stored with it, so that the log can be continued after a restored database
has lost records.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from compliance.trail.log.signed_heads import WitnessedHead

_OWNER_ONLY: Final = 0o600


class InvalidKeyFile(Exception):
    """The file is missing, or holds no Ed25519 key."""


def make_key(path: Path) -> Ed25519PrivateKey:
    """Writes a new key (PKCS #8, PEM, mode 0600). Raises FileExistsError."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    """The key in this file. Raises InvalidKeyFile."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidKeyFile(
            f"found no key in {path} ({error}); needed an Ed25519 key in PEM"
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InvalidKeyFile(f"found another kind of key in {path}; needed an Ed25519 key in PEM")
    return key


@contextmanager
def locked_key(path: Path) -> Iterator[Ed25519PrivateKey]:
    """The key, for one process of this machine at a time. Raises InvalidKeyFile."""
    key = read_key(path)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield key


def witnessed_head(path: Path) -> WitnessedHead | None:
    """The last head that was signed with this key; None before the first.

    Raises InvalidKeyFile if the head's file is damaged: then nothing should be signed.
    """
    try:
        text = _head_file(path).read_text()
    except FileNotFoundError:
        return None
    try:
        return WitnessedHead.from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidKeyFile(
            f"found no head in {_head_file(path)} ({error}); needed the last signed"
        ) from error


def remember_head(path: Path, head: WitnessedHead) -> None:
    """Stores the last head that was signed."""
    written = _head_file(path).with_suffix(".new")
    with written.open("w") as file:
        json.dump(head.as_json(), file)
        file.flush()
        os.fsync(file.fileno())
    written.replace(_head_file(path))


def _head_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.head.json")
