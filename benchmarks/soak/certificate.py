"""The certificate of the exports' key: replaced by one that has expired, and renewed."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from compliance.exports.bundle.signing import certificate_path, read_signing_key

_YEAR: Final = timedelta(days=365)
_EXPIRED_SINCE: Final = timedelta(hours=1)


def expire_certificate(key: Path, *, at: datetime) -> None:
    """Puts in place a certificate of the key that expired an hour ago, after a year."""
    end = at - _EXPIRED_SINCE
    _replace(key, end - _YEAR, end, earlier="export-first.crt")


def renew_certificate(key: Path, *, at: datetime) -> None:
    """Puts in place a certificate of the key for the next year."""
    _replace(key, at, at + _YEAR, earlier="export-expired.crt")


def _replace(key: Path, begin: datetime, end: datetime, *, earlier: str) -> None:
    """At once, so that no export meets a key without a certificate; the present one is kept."""
    signing = read_signing_key(key)
    subject = signing.certificate.subject
    certificate = (
        x509.CertificateBuilder(subject_name=subject, issuer_name=subject)
        .public_key(signing.private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
        .sign(signing.private, hashes.SHA256())
    )
    path = certificate_path(key)
    path.with_name(earlier).write_bytes(path.read_bytes())
    new = path.with_name("new.crt")
    new.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    new.replace(path)
