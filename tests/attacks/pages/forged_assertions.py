"""SAML responses as an attacker makes them, for a person who is known."""

import re
from typing import Final

from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names

from tests.casino.backoffice.single_sign_on.saml_peer import (
    ATTACKER,
    SIGNER,
    Request,
    assertion,
    response,
)
from tests.casino.backoffice.single_sign_on.sign_on import (
    SUBJECT,
)

MALLORY: Final = "mallory"
"""The attacker, whose own assertion the provider signs."""


def unsigned(request: Request) -> str:
    """By nobody."""
    return response(request, assertion(request, SUBJECT))


def signed_by_the_attacker(request: Request) -> str:
    """With a certificate that it brings along."""
    return response(request, ATTACKER.signed(assertion(request, SUBJECT)))


def changed_afterwards(request: Request) -> str:
    """Signed for the attacker."""
    honest = SIGNER.signed(assertion(request, MALLORY))
    return response(request, honest.replace(f">{MALLORY}<", f">{SUBJECT}<"))


def signature_of_another_element(request: Request) -> str:
    """The assertion that is read lies beside the one that is signed (XSW)."""
    honest = SIGNER.signed(assertion(request, MALLORY))
    return response(request, assertion(request, SUBJECT) + honest)


def signed_assertion_inside_of_a_forged_one(request: Request) -> str:
    """The signature refers to what it wraps (XSW 3, 4)."""
    honest = SIGNER.signed(assertion(request, MALLORY))
    forged = assertion(request, SUBJECT)
    return response(request, forged.replace("</saml:Subject>", f"</saml:Subject>{honest}"))


def signature_moved_to_a_forged_assertion(request: Request) -> str:
    """With the signed assertion in an extension of it (XSW 7)."""
    honest = SIGNER.signed(assertion(request, MALLORY))
    [signature] = re.findall(r"<ds:Signature .*?</ds:Signature>", honest, re.DOTALL)
    bare = honest.replace(signature, "")
    hidden = signature.replace("</ds:Signature>", f"<ds:Object>{bare}</ds:Object></ds:Signature>")
    forged = assertion(request, SUBJECT)
    return response(request, forged.replace("</saml:Issuer>", f"</saml:Issuer>{hidden}", 1))


def same_id(request: Request) -> str:
    """Two elements of one name."""
    honest = SIGNER.signed(assertion(request, MALLORY))
    [name] = re.findall(r'<saml:Assertion [^>]*ID="([^"]+)"', honest)
    forged = re.sub(r'ID="[^"]+"', f'ID="{name}"', assertion(request, SUBJECT), count=1)
    return response(request, forged + honest)


def signed_response_only(request: Request) -> str:
    """Assertions are wanted signed: others can be taken out and used elsewhere."""
    return SIGNER.signed(response(request, assertion(request, SUBJECT)))


def signed_by_sha1(request: Request) -> str:
    """For which collisions can be made."""
    inside = assertion(request, SUBJECT)
    return response(request, SIGNER.signed(inside, algorithm=Names.RSA_SHA1, digest=Names.SHA1))


def with_entities(request: Request) -> str:
    """A document that grows, or reads files."""
    document = response(request, SIGNER.signed(assertion(request, SUBJECT)))
    return f'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>{document}'
