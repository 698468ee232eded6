"""Bundles signed by the operator and by others, and runs of the bundle verifier, for tests."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import pkcs7

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.certificate_authorities import Authority
from tests.compliance.exports.exported_days import contents
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE

DETACHED: Final = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary]


class Operator(NamedTuple):
    """An operator with a certified key, and a bundle signed with it."""

    authority: Authority
    key: SigningKey
    bundle: Path
    certificate: Path

    @property
    def files(self) -> dict[str, bytes]:
        """The files of the bundle."""
        return contents(self.bundle)


class VerifierRun(NamedTuple):
    """Exit status and output of the verifier."""

    status: int
    output: str

    @property
    def last_line(self) -> str:
        """The last line of the output, which has the result."""
        return self.output.splitlines()[-1]


def with_manifest(files: Mapping[str, bytes], **changes: Any) -> dict[str, bytes]:
    """The unsigned files of a bundle with a changed manifest, which lists what there is."""
    manifest = json.loads(files[MANIFEST]) | changes
    manifest["files"] = [file for file in manifest["files"] if file["name"] in files]
    return {**files, MANIFEST: json.dumps(manifest).encode()}


def without_malfunctions(files: Mapping[str, bytes], **changes: str) -> dict[str, bytes]:
    """The unsigned files of a bundle without its register of malfunctions."""
    remaining = {name: content for name, content in files.items() if "malfunctions" not in name}
    return with_manifest(remaining, **changes)


def before_signatures(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The unsigned files of a bundle in the format from before signatures of decisions."""
    names = ("signatures.jsonl", "signing_keys.jsonl", "case_plans.jsonl")
    remaining = {name: content for name, content in files.items() if name not in names}
    return with_manifest(remaining, format="sabot-bundle/1")


def sign(
    files: Mapping[str, bytes], key: SigningKey, *certificates: x509.Certificate
) -> dict[str, bytes]:
    """The bundle signed by a key, with further certificates in the signature."""
    builder = pkcs7.PKCS7SignatureBuilder().set_data(files[MANIFEST])
    builder = builder.add_signer(key.certificate, key.private, hashes.SHA256())
    for certificate in certificates:
        builder = builder.add_certificate(certificate)
    return {**files, SIGNATURE: builder.sign(serialization.Encoding.DER, DETACHED)}


def run_verifier(path: Path, *arguments: str) -> VerifierRun:
    """The result of the verifier in a Python without Sabot's packages."""
    completed = subprocess.run(
        [sys.executable, "-I", verify_bundle.__file__, *arguments, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    return VerifierRun(completed.returncode, completed.stdout + completed.stderr)
