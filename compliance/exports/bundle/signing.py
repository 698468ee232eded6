"""The key that signs bundles, and its certificate.

The private key is a file that only its owner can read; neither the database nor the web process has
it. The public certificate is stored next to it.
"""

import hashlib
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

_YEARS: Final = timedelta(days=3653)
"""Validity of the certificate: bundles are kept for five years and more."""
_FEWEST_BITS_OF_EC: Final = 256
_FEWEST_BITS_OF_RSA: Final = 3072
"""128 bits of security, as NIST SP 800-57 counts (part 1, table 2)."""

VERIFY_SIGNATURE: Final = """\
    openssl x509 -in operator.crt -outform DER | openssl dgst -sha256

    openssl cms -verify -binary -inform DER -nointern -noverify -certfile operator.crt \\
        -in {name}.p7s -content {name}
"""
"""Commands that verify a detached signature. They check the digest of the operator's certificate,
and the signature by that certificate alone. ``-noverify`` excludes the authorities that the machine
trusts."""


class MissingSigningKey(Exception):
    """There is no usable key, or no certificate for it."""


class SigningKey(NamedTuple):
    """A private key with its certificate."""

    private: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
    certificate: x509.Certificate

    @property
    def key_id(self) -> str:
        """SHA-256 of the certificate."""
        content = self.certificate.public_bytes(serialization.Encoding.DER)
        return hashlib.sha256(content).hexdigest()

    def sign(self, content: bytes) -> bytes:
        """A detached CMS signature (DER) that includes the certificate."""
        builder = pkcs7.PKCS7SignatureBuilder().set_data(content)
        signer = builder.add_signer(self.certificate, self.private, hashes.SHA256())
        options = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary]
        return signer.sign(serialization.Encoding.DER, options)


def certificate_path(key: Path) -> Path:
    """The path of a key's certificate: the same name with ``.crt``."""
    return key.with_suffix(".crt")


def known_certificates(key: Path) -> list[x509.Certificate]:
    """The certificate of a key, and the earlier ones, latest first.

    These are the other ``.crt`` files in its folder whose names begin with ``export``.
    """
    path = certificate_path(key)
    if not path.exists():
        return []
    earlier = [other for other in path.parent.glob("export*.crt") if other != path]
    known = [
        certificate
        for file in earlier
        for certificate in x509.load_pem_x509_certificates(file.read_bytes())
    ]
    present = x509.load_pem_x509_certificate(path.read_bytes())
    known.sort(key=lambda certificate: certificate.not_valid_before_utc, reverse=True)
    return [present, *(certificate for certificate in known if certificate != present)]


def certificate_digests(key: Path) -> set[str]:
    """SHA-256 of ``known_certificates``, by which a signature is known as the operator's."""
    return {
        certificate.fingerprint(hashes.SHA256()).hex() for certificate in known_certificates(key)
    }


def read_signing_key(path: Path) -> SigningKey:
    """Reads the key. Raises MissingSigningKey, also if others than its owner can read it."""
    try:
        if path.stat().st_mode & 0o077:
            raise MissingSigningKey(f"found {path} open to others; needed a file of mode 0600")
        private = serialization.load_pem_private_key(path.read_bytes(), password=None)
        certificate = x509.load_pem_x509_certificate(certificate_path(path).read_bytes())
    except (OSError, ValueError, TypeError) as error:
        raise MissingSigningKey(f"found no key with a certificate: {error}") from None
    if not isinstance(private, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise MissingSigningKey(f"found {type(private).__name__}; needed a key of ECDSA or RSA")
    least = _FEWEST_BITS_OF_RSA if isinstance(private, rsa.RSAPrivateKey) else _FEWEST_BITS_OF_EC
    if private.key_size < least:
        raise MissingSigningKey(f"found {path} with {private.key_size} bits; needed {least}")
    if certificate.public_key() != private.public_key():
        raise MissingSigningKey(f"found {certificate_path(path)}, the certificate of another key")
    return SigningKey(private, certificate)


def make_signing_key(path: Path, *, name: str, at: datetime) -> SigningKey:
    """Creates a P-256 key with a self-signed certificate. Raises FileExistsError."""
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    public = x509.SubjectKeyIdentifier.from_public_key(private.public_key())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(public)
    certificate = (
        x509.CertificateBuilder(subject_name=subject, issuer_name=subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at)
        .not_valid_after(at + _YEARS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(public, critical=False)
        .add_extension(issuer, critical=False)  # distinguishes certificates of one name
        .sign(private, hashes.SHA256())
    )
    content = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    _write_new(path, content, mode=0o600)
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    _write_new(certificate_path(path), pem, mode=0o644)
    return SigningKey(private, certificate)


def _write_new(path: Path, content: bytes, *, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
