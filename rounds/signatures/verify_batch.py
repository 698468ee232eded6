"""Verifies one stored batch: its key, its signature, and the lines that it covers."""

import gzip
import hashlib
from collections.abc import Iterator
from typing import Final

from compliance.trail.actor import Actor, is_same_person
from rounds import feed
from rounds.models import SignedBatch, StudioKey, StudioKeyStep
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.message_signature import ContentDigests, component_of
from rounds.signatures.public_keys import is_signed, key_id_of
from rounds.signatures.web_signature import payload_of

_GZIP: Final = b"\x1f\x8b"
_APPROVED: Final = StudioKeyStep.Action.APPROVED
_REVOKED: Final = StudioKeyStep.Action.REVOKED


class KeyWithSteps:
    """A key with its steps."""

    def __init__(self, key: StudioKey) -> None:
        self.row = key
        steps = {step.action: step for step in key.steps.all()}
        self.approval = steps.get(_APPROVED)
        self.revocation = steps.get(_REVOKED)

    def fault(self) -> str | None:
        """Why the key is no key of two persons; None if it is."""
        key, approval = self.row, self.approval
        if key_id_of(bytes(key.public_key)) != key.key_id:
            return "its ID is not that of its public key"
        if approval is not None and is_same_person(
            key.actor, key.actor_user_id, Actor(approval.actor, approval.actor_user_id)
        ):
            return f"{key.actor} proposed and approved it"
        return None

    def batch_fault(self, batch: SignedBatch) -> str | None:
        """Why the key could not sign a batch; None if it could."""
        at = batch.received_at
        if self.approval is None or at < self.approval.at:
            return "its key was not approved when it was received"
        if not self.row.valid_from <= at < self.row.valid_until:
            return "its key was not valid when it was received"
        if self.revocation is not None and batch.pk > (self.revocation.last_batch or 0):
            return "its key was revoked before it was received"
        return None


def signature_faults(batch: SignedBatch, key: StudioKey, content: bytes) -> Iterator[str]:
    """What is wrong with the signature of a batch with this content."""
    text = bytes(batch.signed_text)
    if not is_signed(bytes(key.public_key), bytes(batch.signature), text):
        yield f"the signature is not that of studio key {key.key_id} over its text"
    digest = hashlib.sha256(content).digest()
    if digest != bytes(batch.content_digest):
        yield f"its content has the digest {digest.hex()}"
    try:
        if batch.form == SignedBatch.Form.LINES:
            signed = payload_of(text).get("sha256")
            if signed != digest.hex():
                yield f"the signed text names the digest {signed}, not that of its content"
        else:
            digests = ContentDigests()
            digests.update(content)
            digests.check(component_of(text, "content-digest") or "")
    except InvalidSignature as error:
        yield f"the signed text does not fit its content: {error}"


def signed_lines(batch: SignedBatch, content: bytes) -> Iterator[bytes]:
    """The documents of the feed in the content of a batch."""
    if content.startswith(_GZIP):
        content = gzip.decompress(content)
    media = component_of(bytes(batch.signed_text), "content-type") or ""
    is_document = batch.form == SignedBatch.Form.HTTP and "ndjson" not in media.lower()
    lines = [content] if is_document else content.split(b"\n")
    return (line for line in lines if not feed.is_blank(line))
