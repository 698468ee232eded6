"""Recording a decision with the signature of the person who takes it.

What is signed is the canonical text of the audit record (``compliance.trail.encoding``): what was
decided on what, by whom and when. A service that records a decision so is called twice: without a
signature it writes nothing and answers with the text, then with the signature of that text.
"""

from datetime import datetime

from compliance.signatures.assertions import Assertion, verify_assertion
from compliance.signatures.models import DecisionSignature
from compliance.signatures.queries import key_in_force
from compliance.trail.actor import Actor
from compliance.trail.encoding import record_text
from compliance.trail.record import Entry, record_entry


class SignatureRequired(Exception):
    """The person has not signed this decision. Nothing was written; ``text`` is to be signed."""

    def __init__(self, text: str) -> None:
        super().__init__("found no signature of this decision; needed that of the person")
        self.text = text


def record_decision(entry: Entry, *, at: datetime, actor: Actor) -> None:
    """Writes an audit record with the actor's signature, in the current transaction.

    Raises SignatureRequired, KeyNotInForce or InvalidAssertion.
    """
    text = decision_text(entry, at=at, actor=actor)
    if actor.signer is None:
        raise SignatureRequired(text)
    assertion = Assertion(*actor.signer.sign(text))
    key = key_in_force(assertion.credential_id, person_id=actor.user_id, at=at)
    verify_assertion(assertion, text=text, key=key.public)
    DecisionSignature.objects.create(
        record_id=record_entry(entry, at=at, actor=actor),
        key=key,
        authenticator_data=assertion.authenticator_data,
        client_data=assertion.client_data,
        signature=assertion.signature,
    )


def decision_text(entry: Entry, *, at: datetime, actor: Actor) -> str:
    """The text that the actor signs: JSON in the canonical form of audit records (RFC 8785)."""
    return record_text(
        at=at, actor=actor, action=entry.action, subject=entry.subject, details=entry.details
    )
