"""Export keys have 128 bits of security: what they sign is kept for years."""

import subprocess
from pathlib import Path
from shutil import which
from typing import Final

import pytest

from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key

_OPENSSL: Final = which("openssl") or "openssl"


def key_of(folder: Path, algorithm: str, option: str) -> Path:
    """A key with its certificate, as an authority's tools make them."""
    key, certificate = folder / "export.key", folder / "export.crt"
    make = ["genpkey", "-algorithm", algorithm, "-pkeyopt", option, "-out", str(key)]
    certify = ["req", "-x509", "-key", str(key), "-subj", "/CN=operator", "-days", "9"]
    for command in (make, [*certify, "-out", str(certificate)]):
        subprocess.run([_OPENSSL, *command], check=True, capture_output=True)
    key.chmod(0o600)
    return key


@pytest.mark.parametrize(
    ("algorithm", "option", "message"),
    [
        ("RSA", "rsa_keygen_bits:2048", "with 2048 bits; needed 3072"),
        ("EC", "ec_paramgen_curve:P-224", "with 224 bits; needed 256"),
    ],
)
def test_a_shorter_one_is_refused(
    tmp_path: Path, algorithm: str, option: str, message: str
) -> None:
    """Source: NIST SP 800-57 part 1, table 2: both have 112."""
    key = key_of(tmp_path, algorithm, option)

    with pytest.raises(MissingSigningKey, match=message):
        read_signing_key(key)


@pytest.mark.parametrize(
    ("algorithm", "option", "bits"),
    [
        ("RSA", "rsa_keygen_bits:3072", 3072),
        ("EC", "ec_paramgen_curve:P-256", 256),
        ("EC", "ec_paramgen_curve:P-384", 384),
    ],
)
def test_a_longer_one_signs(tmp_path: Path, algorithm: str, option: str, bits: int) -> None:
    """128 bits of security, or more."""
    key = read_signing_key(key_of(tmp_path, algorithm, option))

    assert key.private.key_size == bits
    assert key.sign(b"a bundle")
