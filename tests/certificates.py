"""A certificate authority of a test, with the certificates of servers and clients."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_DAY: Final = timedelta(days=1)


class Authority:
    """Signs certificates and stores them, with their keys, in files of a folder."""

    def __init__(self, folder: Path, *, name: str = "authority") -> None:
        self._folder, self._key = folder, generate_private_key(SECP256R1())
        self._name = _named(name)
        builder = self._builder(self._name, days=30).public_key(self._key.public_key())
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        certificate = builder.sign(self._key, hashes.SHA256())
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(certificate.public_bytes(Encoding.PEM))

    def issue(self, host: str, *, days: int = 30) -> tuple[Path, Path]:
        """The files of a certificate for a host and of its key."""
        key = generate_private_key(SECP256R1())
        builder = self._builder(_named(host), days=days).public_key(key.public_key())
        names = x509.SubjectAlternativeName([_general_name(host)])
        certificate = builder.add_extension(names, False).sign(self._key, hashes.SHA256())
        files = self._folder / f"{host}.crt", self._folder / f"{host}.key"
        files[0].write_bytes(certificate.public_bytes(Encoding.PEM))
        files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return files

    def _builder(self, subject: x509.Name, *, days: int) -> x509.CertificateBuilder:
        end = datetime.now(UTC) + days * _DAY
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .serial_number(x509.random_serial_number())
            .not_valid_before(end - 40 * _DAY)
            .not_valid_after(end)
        )


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
