"""Bundles and dossiers of a signer that the regulator knows: RIGHT for what was signed alone."""

import hashlib
import io
import zipfile
from typing import Final

from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, kept_inputs
from tests.fuzzing.verifier import run_verifier
from tests.fuzzing.zip_mutation import ZipMutation

SIGNED: Final = ("closed-day.zip", "dossier.zip", "signed-day.zip")
_SEAL: Final = 64
KEYS: Final = (
    "2ee0b6134025290cb56c58f20f9d60e655f757a3e3f7456a03b5547e77c4f0a0",
    "61716f025929afac0d1673bbe511457bc1bea56aada01de8dc10c3ba3c8139ac",
)
"""Of the certificates of those who signed the bundles and the dossier in the repository."""
ARGUMENTS: Final = [word for key in KEYS for word in ("--key-id", key)]
_UNSIGNED: Final = ("README.txt", "verify_bundle.py", "dossier.it.pdf", "dossier.en.pdf")


def _contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name not in _UNSIGNED}


def check(data: bytes) -> None:
    """The seal is no secret, so it always fits."""
    body = data[:-_SEAL]
    content = body + hashlib.sha256(body).hexdigest().encode()
    run = run_verifier(content, *ARGUMENTS)
    if run.status == 0:
        assert _contents(content) in _signed()


def _signed() -> list[dict[str, bytes]]:
    return [_contents(path.read_bytes()) for path in kept_inputs("bundles") if path.name in SIGNED]


def seeds() -> list[bytes]:
    """Those in the repository."""
    return []


TARGET = Target(check, seeds, ZipMutation(mutate_part=JsonMutation([])), longest=16_384)
