"""HTTP Message Signatures (RFC 9421) with a Content-Digest (RFC 9530), as far as deliveries use it.

One signature by Ed25519, over fields and derived components without parameters. This module knows
texts only, so that a stored signature is verified again by the code that accepted it.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from rounds.signatures.exceptions import InvalidSignature

REQUIRED: Final = ("@method", "@path", "content-type", "content-digest")
"""What a signature has to cover; it may cover more."""
DERIVED: Final = ("@method", "@path", "@authority", "@query", "@scheme", "@target-uri")
ALGORITHM: Final = "ed25519"

_SIGNATURE_BYTES: Final = 64
"""Of Ed25519."""
_INPUT: Final = "header:Signature-Input"
_SIGNATURE: Final = "header:Signature"
_DIGEST: Final = "header:Content-Digest"
_LABEL: Final = r"[a-z*][a-z0-9_\-.*]*"
_TEXT: Final = r'"[\x20\x21\x23-\x5b\x5d-\x7e]*"'
_PARAMETERS: Final = rf"(?:;(?:created|expires)=[0-9]{{1,15}}|;(?:keyid|alg|nonce|tag)={_TEXT})*"
# The canonical form of RFC 8941 alone: what is signed is the very text of the field.
_INPUT_FIELD: Final = re.compile(
    rf'({_LABEL})=(\(("[a-z@][a-z0-9\-]*"(?: "[a-z@][a-z0-9\-]*")*)\)({_PARAMETERS}))'
)
_SIGNATURE_FIELD: Final = re.compile(rf"({_LABEL})=:([A-Za-z0-9+/=]+):")
_DIGEST_MEMBER: Final = re.compile(r"([a-z*][a-z0-9_\-.*]*)=:([A-Za-z0-9+/=]*):")
_PARAMETER: Final = re.compile(rf";([a-z]+)=([0-9]+|{_TEXT})")
_BASE_LINE: Final = re.compile(r'"([a-z@][a-z0-9\-]*)": (.*)')
_ALGORITHMS: Final = ("sha-256", "sha-512")
_EXAMPLE: Final = (
    'sig=("@method" "@path" "content-type" "content-digest");created=1763769600;keyid="…"'
)


class MessageSignature(NamedTuple):
    """A signature that is well formed, with the text that it must sign."""

    key_id: str
    created: int
    """Seconds since 1970."""
    expires: int | None
    signed_text: bytes
    signature: bytes


class ContentDigests:
    """The digests of a body, computed while it is read."""

    def __init__(self) -> None:
        self._digests: Final = {name: hashlib.new(name.replace("-", "")) for name in _ALGORITHMS}

    def update(self, piece: bytes) -> None:
        """Adds a piece of the body."""
        for digest in self._digests.values():
            digest.update(piece)

    def sha256(self) -> bytes:
        """The SHA-256 of the body."""
        return self._digests["sha-256"].digest()

    def check(self, field: str) -> None:
        """Raises InvalidSignature unless a Content-Digest is that of the body.

        Every digest by SHA-256 or SHA-512 must be right, and there must be one.
        """
        given = _content_digests(field)
        for name, value in given.items():
            digest = self._digests[name].digest()
            if digest != value:
                needed = f"{name}=:{base64.b64encode(digest).decode()}:, the digest of the body"
                raise InvalidSignature(_DIGEST, field, needed)
        if not given:
            needed = f"a digest by {' or '.join(_ALGORITHMS)}"
            raise InvalidSignature(_DIGEST, field or "nothing", needed)


def parse_message_signature(
    headers: Mapping[str, str], component: Callable[[str], str | None]
) -> MessageSignature:
    """The signature of a request. Raises InvalidSignature.

    ``component`` gives the value of a derived component.
    """
    given = headers.get("Signature-Input", "").strip()
    match = _INPUT_FIELD.fullmatch(given)
    if match is None:
        raise InvalidSignature(_INPUT, given or "nothing", f"one signature, such as {_EXAMPLE}")
    label, parameters_field, names_field, parameters_text = match.groups()
    names = [name.strip('"') for name in names_field.split(" ")]
    parameters = _parameters(parameters_text)
    missing = [name for name in REQUIRED if name not in names]
    if missing or len(set(names)) != len(names):
        needed = " ".join(f'"{name}"' for name in REQUIRED) + ", each once"
        raise InvalidSignature(_INPUT, names_field, needed)
    lines = [f'"{name}": {_value(name, headers, component)}' for name in names]
    lines.append(f'"@signature-params": {parameters_field}')
    return MessageSignature(
        parameters["keyid"],
        parameters["created"],
        parameters.get("expires"),
        "\n".join(lines).encode("ascii"),
        _signature(headers.get("Signature", "").strip(), label),
    )


def component_of(signed_text: bytes, name: str) -> str | None:
    """The value of a component in a text that was signed; None if it is not covered."""
    for line in signed_text.decode("ascii", "replace").split("\n"):
        match = _BASE_LINE.fullmatch(line)
        if match is not None and match[1] == name:
            return match[2]
    return None


def _parameters(text: str) -> dict[str, Any]:
    pairs = _PARAMETER.findall(text)
    parameters: dict[str, Any] = {
        name: value.strip('"') if value.startswith('"') else int(value) for name, value in pairs
    }
    if len(parameters) != len(pairs):
        raise InvalidSignature(_INPUT, text, "each parameter once")
    for name in ("created", "keyid"):
        if name not in parameters:
            raise InvalidSignature(_INPUT, text or "nothing", f"the parameter {name}")
    if parameters.get("alg", ALGORITHM) != ALGORITHM:
        raise InvalidSignature(_INPUT, parameters["alg"], f'alg="{ALGORITHM}", or no alg')
    return parameters


def _value(name: str, headers: Mapping[str, str], component: Callable[[str], str | None]) -> str:
    """The value of a component (RFC 9421, sections 2.1 and 2.2)."""
    value = component(name) if name.startswith("@") else headers.get(name)
    if value is None:
        needed = f"a header of this name, or one of {' '.join(DERIVED)}"
        raise InvalidSignature(_INPUT, f'"{name}"', needed)
    value = value.strip(" \t")
    if not value.isascii() or not value.replace("\t", " ").isprintable():
        raise InvalidSignature(_INPUT, f'"{name}"', "a value in printable ASCII")
    return value


def _signature(field: str, label: str) -> bytes:
    match = _SIGNATURE_FIELD.fullmatch(field)
    value = _decoded(match[2]) if match else None
    if match is None or match[1] != label or value is None or len(value) != _SIGNATURE_BYTES:
        raise InvalidSignature(
            _SIGNATURE, field or "nothing", f"{label}=:{_SIGNATURE_BYTES} bytes in base64:"
        )
    return value


def _content_digests(field: str) -> dict[str, bytes | None]:
    """The digests by algorithm; None for what is no base64."""
    given = {}
    for member in field.split(","):
        match = _DIGEST_MEMBER.fullmatch(member.strip())
        if match is not None and match[1] in _ALGORITHMS:
            given[match[1]] = _decoded(match[2])
    return given


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
