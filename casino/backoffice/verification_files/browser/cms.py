"""Detached signatures (CMS, RFC 5652) for a Python without OpenSSL, as ``openssl cms`` reads them.

What this module does not know raises NotVerified, whatever openssl would say.
"""

import base64
import hashlib
import ssl
from collections.abc import Iterator
from typing import Final, NamedTuple

from casino.backoffice.verification_files.browser.der import (
    IN_CONTEXT,
    INTEGER,
    OCTETS,
    OID,
    SEQUENCE,
    SET,
    BadEncoding,
    Element,
    element,
)
from casino.backoffice.verification_files.browser.public_keys import (
    EC,
    HASHES,
    RSA,
    NotVerified,
    is_signed,
)

_SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
_VERSIONS: Final = (1, 3)
_BY_ISSUER: Final = 1
"""The version of a signer who is named by issuer and number."""
_NO_PARAMETERS: Final = bytes.fromhex("0500")
_CONTENT_TYPE: Final = bytes.fromhex("2a864886f70d010903")
_MESSAGE_DIGEST: Final = bytes.fromhex("2a864886f70d010904")
_SIGNATURES: Final = {
    RSA: {"sha256", "sha384", "sha512"},
    EC: {"sha256", "sha384", "sha512"},
    bytes.fromhex("2a864886f70d01010b"): {"sha256"},
    bytes.fromhex("2a864886f70d01010c"): {"sha384"},
    bytes.fromhex("2a864886f70d01010d"): {"sha512"},
    bytes.fromhex("2a8648ce3d040302"): {"sha256"},
    bytes.fromhex("2a8648ce3d040303"): {"sha384"},
    bytes.fromhex("2a8648ce3d040304"): {"sha512"},
}
"""RSA (PKCS #1 version 1.5) and ECDSA, with the digests that these identifiers allow."""
_NAMES: Final = {bytes.fromhex("55040a"): "O", bytes.fromhex("550403"): "CN"}


class Certificate(NamedTuple):
    """What identifies a signer, and its key."""

    issuer: bytes
    serial: bytes
    key: bytes
    subject: dict[str, str]
    """Organization (O) and common name (CN)."""


class _SignedData(NamedTuple):
    digests: set[bytes]
    content_type: bytes
    certificates: list[Element]
    signers: list[Element]


def certificates_in(signature: bytes) -> str:
    """The certificates in a signature, as PEM. Raises BadEncoding, NotVerified."""
    ders = [part.whole for part in _signed_data(signature).certificates if part.tag == SEQUENCE]
    return "".join(map(ssl.DER_cert_to_PEM_cert, ders))


def is_signed_by(content: bytes, signature: bytes, pem: str) -> bool:
    """Whether each signer is this certificate's, and has signed this content.

    Raises BadEncoding, NotVerified.
    """
    certificate, data = certificate_in(pem), _signed_data(signature)
    found = [_is_by(signer, certificate, content, data) for signer in data.signers]
    return bool(found) and all(found)


def certificate_in(pem: str) -> Certificate:
    """Issuer, number, key and names of a certificate (RFC 5280). Raises BadEncoding."""
    body = element(_der_of(pem), SEQUENCE).parts(SEQUENCE)[0]
    fields = body.parts()
    if fields and fields[0].tag == IN_CONTEXT:  # the version
        fields = fields[1:]
    if [field.tag for field in fields[:6]] != [INTEGER, *[SEQUENCE] * 5]:
        raise BadEncoding("found no certificate")
    serial, _algorithm, issuer, _validity, subject, key = fields[:6]
    return Certificate(issuer.whole, serial.content, key.whole, dict(_names(subject)))


def _der_of(pem: str) -> bytes:
    encoded = "".join(line for line in pem.splitlines() if not line.startswith("-----"))
    return base64.b64decode(encoded)


def _names(subject: Element) -> Iterator[tuple[str, str]]:
    for group in subject.parts():
        for pair in group.parts(SEQUENCE):
            oid, value = pair.parts(OID)[:2]
            if oid.content in _NAMES:
                yield _NAMES[oid.content], value.content.decode(errors="replace")


def _signed_data(signature: bytes) -> _SignedData:
    kind, wrapped = element(signature, SEQUENCE).parts(OID, IN_CONTEXT)
    if kind.content != _SIGNED_DATA:
        raise BadEncoding("found another content than a signature")
    [body] = wrapped.parts(SEQUENCE)
    version, digests, content, *rest = body.parts(INTEGER, SET, SEQUENCE)
    kinds = {_algorithm(kind) for kind in digests.parts()}
    if version.number not in _VERSIONS or not kinds <= HASHES.keys():
        raise NotVerified("found a signature of another version or with other digests")
    content_type, *contained = content.parts(OID)
    if contained:
        raise NotVerified("found a signature that contains what it signs")
    if not rest or rest[-1].tag != SET:
        raise BadEncoding("found no signers at the end")
    signers = rest.pop().parts()
    if any(signer.tag != SEQUENCE for signer in signers):
        raise BadEncoding("found something else among the signers")
    if [part.tag for part in rest] not in ([], [IN_CONTEXT]):
        raise NotVerified("found a signature with other parts than certificates")
    certificates = [part for certificates in rest for part in certificates.parts()]
    return _SignedData(kinds, content_type.content, certificates, signers)


def _is_by(signer: Element, certificate: Certificate, content: bytes, data: _SignedData) -> bool:
    version, identifier, digest_kind, *rest = signer.parts(INTEGER)
    if version.number != _BY_ISSUER or identifier.tag != SEQUENCE:
        raise NotVerified("found a signer who is not named by issuer and number")
    issuer, serial = identifier.parts(SEQUENCE, INTEGER)
    if (issuer.whole, serial.content) != (certificate.issuer, certificate.serial):
        return False
    attributes = rest.pop(0) if rest and rest[0].tag == IN_CONTEXT else None
    if [part.tag for part in rest[:2]] != [SEQUENCE, OCTETS]:
        raise BadEncoding("found no signature")
    digest, algorithm = _algorithm(digest_kind), _algorithm(rest[0])
    if digest not in data.digests:
        return False
    hash_name = HASHES[digest]
    if hash_name not in _SIGNATURES.get(algorithm, set()) or rest[2:]:
        raise NotVerified(f"found the algorithms {digest_kind.content.hex()}, {algorithm.hex()}")
    signed = content
    if attributes is not None:
        expected = {_CONTENT_TYPE: (OID, data.content_type)}
        expected[_MESSAGE_DIGEST] = OCTETS, hashlib.new(hash_name, content).digest()
        if not _are_attributes(attributes, expected):
            return False
        signed = bytes([SET]) + attributes.whole[1:]
    signature = rest[1].content
    return is_signed(signed, signature=signature, key=certificate.key, hash_name=hash_name)


def _algorithm(kind: Element) -> bytes:
    """The identifier of an algorithm without parameters. Raises BadEncoding, NotVerified."""
    oid, *parameters = kind.parts(OID)
    if kind.tag != SEQUENCE:
        raise BadEncoding("found no algorithm")
    if parameters and [part.whole for part in parameters] != [_NO_PARAMETERS]:
        raise NotVerified(f"found the algorithm {kind.content.hex()}")
    return oid.content


def _are_attributes(attributes: Element, expected: dict[bytes, tuple[int, bytes]]) -> bool:
    """Whether each of these is there once, with this one value."""
    values: dict[bytes, list[tuple[int, bytes]]] = {}
    for attribute in attributes.parts():
        oid, found = attribute.parts(OID, SET)
        values.setdefault(oid.content, []).extend((it.tag, it.content) for it in found.parts())
    return all(values.get(oid) == [value] for oid, value in expected.items())
