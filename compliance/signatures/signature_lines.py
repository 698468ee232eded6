"""Signed decisions and the keys of their persons as JSON, for those who verify them elsewhere.

A decision is the canonical text of its audit record with the assertion that signs it; octets are in
base64. A key is its public key with every decision about it, each in the same form
(``docs/verifying.md``). ``verify_bundle.py`` verifies both.
"""

from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fido2 import cbor
from fido2.cose import CoseKey

from compliance.signatures.models import (
    DecisionSignature,
    EarlierDecision,
    SigningKey,
    SigningKeyStep,
)
from compliance.signatures.signature_verifier import DecidedRow
from compliance.signatures.signed_text import decision_text, joint_text, text_of_record
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord

Line = dict[str, Any]
_EARLIER: Final = "from_before_signatures"
_KEY_TYPE, _CURVE, _X, _Y = 1, -1, -2, -3
_MODULUS, _EXPONENT = -1, -2
"""Labels of a COSE key (RFC 9053, section 7; RFC 8230, section 4)."""
_EDWARDS, _ELLIPTIC, _RSA = 1, 2, 3
_P256 = 1


class SignatureLines:
    """Makes the lines of decisions, and then those of the keys that signed them."""

    def __init__(self, *, database: str = "default", until: datetime | None = None) -> None:
        """``database`` is the alias to read; ``until`` leaves out later decisions about keys."""
        self._database, self._until = database, until
        self._key_ids: set[str] = set()

    def of_record(self, record: AuditRecord) -> Line:
        """The decision in an audit record. Without its signature if it has none."""
        text = text_of_record(record)
        signatures = DecisionSignature.objects.using(self._database)
        signature = signatures.filter(pk=record.id).first()
        if signature is not None:
            return {"record": text, **self._signature(signature)}
        earlier = EarlierDecision.objects.using(self._database).filter(pk=record.id)
        return decision_before_signatures(text) if earlier.exists() else {"record": text}

    def of_row(self, row: DecidedRow) -> Line:
        """The decision that a row states; signed if an audit record says exactly the same."""
        actor, entry = Actor(row.actor, row.actor_user_id), row.entry
        text = decision_text(entry, at=row.at, actor=actor)
        records = AuditRecord.objects.using(self._database).filter(
            subject=entry.subject, action=entry.action, at=row.at
        )
        lines = [self.of_record(record) for record in records.order_by("id")]
        same = [line for line in lines if line["record"] == text or _EARLIER in line]
        return max(same, key=len, default={"record": text})  # the signed one, if there are several

    def keys(self) -> Iterator[Line]:
        """The keys of the decisions so far, and those of the persons who approved them."""
        done: set[str] = set()
        while left := sorted(self._key_ids - done):
            keys = SigningKey.objects.using(self._database).filter(pk__in=left)
            for key in keys.prefetch_related("steps").order_by("id"):
                yield self._key(key)
            done.update(left)

    def _signature(self, signature: DecisionSignature) -> Line:
        self._key_ids.add(signature.key_id)
        ids = signature.signed_with or [signature.record_id]
        together = AuditRecord.objects.using(self._database).in_bulk(ids)
        texts = [text_of_record(together[record]) for record in ids if record in together]
        return {
            "key": signature.key_id,
            "signed_text": _base64(joint_text(texts).encode()),
            "authenticator_data": _base64(signature.authenticator_data),
            "client_data": _base64(signature.client_data),
            "signature": _base64(signature.signature),
        }

    def _key(self, key: SigningKey) -> Line:
        steps = sorted(key.steps.all(), key=lambda step: step.sequence)
        return {
            "key": key.id,
            "account": key.person_id,
            "person": key.person_name,
            "site": key.site,
            "is_software": key.is_software,
            "is_browser": key.is_browser,
            "registered_at": key.registered_at.isoformat(),
            "public_key": _base64(key.public_key),
            "der": _base64(public_key_der(bytes(key.public_key))),
            "decisions": [
                self._step(step) for step in steps if self._until is None or step.at <= self._until
            ],
        }

    def _step(self, step: SigningKeyStep) -> Line:
        if step.action == SigningKeyStep.Action.ROOTED:  # by the host, which has no key
            actor = Actor(step.actor, step.actor_user_id)
            return {"record": decision_text(step.entry, at=step.at, actor=actor)}
        return self.of_row(step)


def decision_before_signatures(text: str) -> Line:
    """The line of a decision that was taken when nobody could sign it."""
    return {"record": text, _EARLIER: True}


def public_key_der(cose: bytes) -> bytes:
    """A COSE key as SubjectPublicKeyInfo (RFC 5280), which openssl reads; empty if unknown."""
    key = CoseKey.parse(cbor.decode(cose))  # type: ignore[arg-type]  # a map
    public: ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey
    kind = key[_KEY_TYPE]
    if kind == _ELLIPTIC and key[_CURVE] == _P256:
        point = b"\x04" + key[_X] + key[_Y]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    elif kind == _EDWARDS:
        public = ed25519.Ed25519PublicKey.from_public_bytes(key[_X])
    elif kind == _RSA:
        numbers = (int.from_bytes(key[name]) for name in (_EXPONENT, _MODULUS))
        public = rsa.RSAPublicNumbers(*numbers).public_key()
    else:
        return b""
    return public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _base64(octets: bytes | memoryview) -> str:
    return b64encode(octets).decode()
