"""Certificate authorities for S/MIME, for tests."""

from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.exported_days import YEAR

_YEARS: Final = timedelta(days=3653)
Private = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Authority(NamedTuple):
    """A key and its self-signed certificate."""

    private: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def certify(
        self, name: str, *, serial: int | None = None, private: Private | None = None
    ) -> SigningKey:
        """A new key, or this one, with a certificate of this authority."""
        private = private or ec.generate_private_key(ec.SECP256R1())
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION])
        certificate = (
            _unsigned(named(name), self.certificate.subject, private, serial=serial, is_ca=False)
            .add_extension(usage, critical=False)
            .sign(self.private, hashes.SHA256())
        )
        return SigningKey(private, certificate)


def named(name: str) -> x509.Name:
    """A distinguished name with this common name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def authority(name: x509.Name) -> Authority:
    """A new authority."""
    private = ec.generate_private_key(ec.SECP256R1())
    certificate = _unsigned(name, name, private, is_ca=True).sign(private, hashes.SHA256())
    return Authority(private, certificate)


def write_pem(path: Path, *certificates: x509.Certificate) -> Path:
    """A PEM file of these certificates."""
    pems = [certificate.public_bytes(serialization.Encoding.PEM) for certificate in certificates]
    path.write_bytes(b"".join(pems))
    return path


def _unsigned(
    subject: x509.Name,
    issuer: x509.Name,
    private: Private,
    *,
    is_ca: bool,
    serial: int | None = None,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer)
        .public_key(private.public_key())
        .serial_number(serial or x509.random_serial_number())
        .not_valid_before(YEAR)
        .not_valid_after(YEAR + _YEARS)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
    )
