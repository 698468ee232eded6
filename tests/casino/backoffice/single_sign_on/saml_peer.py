"""A SAML provider for tests: it reads requests and signs assertions, also wrong ones."""

import base64
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from lxml import etree
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.utils import OneLogin_Saml2_Utils

ISSUER: Final = "https://id.casino.example/saml"
LOGIN: Final = "https://id.casino.example/saml/login"
PERSISTENT: Final = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"

_ASSERTION: Final = """\
<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0"
 IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject>\
<saml:NameID Format="{format}">{subject}</saml:NameID>\
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">\
<saml:SubjectConfirmationData{answers}{recipient}{end}/></saml:SubjectConfirmation></saml:Subject>\
<saml:Conditions NotBefore="{before}" NotOnOrAfter="{after}">{audience}</saml:Conditions>\
<saml:AuthnStatement AuthnInstant="{now}"><saml:AuthnContext><saml:AuthnContextClassRef>\
urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>\
</saml:AuthnStatement></saml:Assertion>"""
_AUDIENCE: Final = (
    "<saml:AudienceRestriction><saml:Audience>{}</saml:Audience></saml:AudienceRestriction>"
)
_RESPONSE: Final = """\
<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="{id}" Version="2.0"
 IssueInstant="{now}" Destination="{acs}"{answers}>\
<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">{issuer}</saml:Issuer>\
<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\
{assertion}</samlp:Response>"""
_METADATA: Final = """\
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"
 xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="{issuer}"><md:IDPSSODescriptor
 protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">{keys}
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
 Location="{login}"/></md:IDPSSODescriptor></md:EntityDescriptor>"""
_KEY: Final = """<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\
{}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"""


class Signer:
    """A key with a certificate."""

    def __init__(self, *, days: float = 365) -> None:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "id.casino.example")])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(days=400))
            .not_valid_after(now + timedelta(days=days))
            .sign(key, SHA256())
        )
        self.key = key.private_bytes(
            Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()
        ).decode()
        self.certificate = certificate.public_bytes(Encoding.PEM).decode()

    @property
    def bare_certificate(self) -> str:
        """Without its frame."""
        return "".join(self.certificate.splitlines()[1:-1])

    def signed(self, xml: str, *, algorithm: str = Names.RSA_SHA256, digest: str = "") -> str:
        """The element with an enveloped signature."""
        document: bytes = OneLogin_Saml2_Utils.add_sign(
            xml, self.key, self.certificate, False, algorithm, digest or Names.SHA256
        )
        return etree.tostring(etree.fromstring(document)).decode()


SIGNER: Final = Signer()
ATTACKER: Final = Signer()


def metadata(*signers: Signer, issuer: str = ISSUER, login: str = LOGIN) -> str:
    """The provider's description of itself."""
    keys = "".join(_KEY.format(signer.bare_certificate) for signer in signers or (SIGNER,))
    return _METADATA.format(issuer=issuer, keys=keys, login=login)


class Request:
    """What Sabot asks for, read from the address to which a page leads."""

    def __init__(self, address: str) -> None:
        assert address.startswith(f"{LOGIN}?")
        packed = parse_qs(urlsplit(address).query)["SAMLRequest"][0]
        element = etree.fromstring(zlib.decompress(base64.b64decode(packed), -15))
        self.id = str(element.get("ID"))
        self.acs = str(element.get("AssertionConsumerServiceURL"))
        self.forces_login = element.get("ForceAuthn") == "true"
        [issuer] = element.iterfind("{*}Issuer")
        self.audience = str(issuer.text)


def _at(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _attribute(name: str, value: str | None) -> str:
    return "" if value is None else f' {name}="{value}"'


def assertion(request: Request, subject: str, **changed: Any) -> str:
    """An assertion about the subject; each part can be changed, and left out by None."""
    parts: dict[str, Any] = {
        "issuer": ISSUER,
        "format": PERSISTENT,
        "answers": request.id,
        "recipient": request.acs,
        "audience": request.audience,
        "lasts": 120,
        "end": 120,
        **changed,
    }
    audience, end = parts["audience"], parts["end"]
    return _ASSERTION.format(
        id=f"_{uuid4().hex}",
        now=_at(0),
        subject=subject,
        issuer=parts["issuer"],
        format=parts["format"],
        answers=_attribute("InResponseTo", parts["answers"]),
        recipient=_attribute("Recipient", parts["recipient"]),
        end=_attribute("NotOnOrAfter", None if end is None else _at(end)),
        before=_at(parts.get("begins", -5)),
        after=_at(parts["lasts"]),
        audience="" if audience is None else _AUDIENCE.format(audience),
    )


def response(request: Request, inside: str, *, answers: str | None = "") -> str:
    """The document around an assertion; it names the request unless ``answers`` is given."""
    named = request.id if answers == "" else answers
    return _RESPONSE.format(
        id=f"_{uuid4().hex}",
        now=_at(0),
        acs=request.acs,
        answers=_attribute("InResponseTo", named),
        issuer=ISSUER,
        assertion=inside,
    )


def posted(document: str) -> dict[str, str]:
    """The form that the provider's page sends."""
    return {"SAMLResponse": base64.b64encode(document.encode()).decode(), "RelayState": ""}


def right_answer(request: Request, subject: str) -> dict[str, str]:
    """That of an honest provider."""
    return posted(response(request, SIGNER.signed(assertion(request, subject))))
