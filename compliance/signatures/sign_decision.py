"""Recording decisions with the signature of the person who takes them.

What is signed is the text of the audit record (``signed_text``): what was decided on what, by whom
and when. A service that records a decision so is called twice: without a signature it writes
nothing and answers with the text, then with the signature of that text.

Several records that one action of a person writes are signed together. Nobody records a decision
for which they have no role by signed decisions: no verifier would accept it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, TypeVar, cast
from uuid import UUID

from django.db import transaction
from django.db.models import Model

from compliance.signatures.assertions import Assertion, verify_assertion
from compliance.signatures.models import DecisionSignature
from compliance.signatures.queries import key_in_force
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.signatures.signed_text import decision_text, joint_text
from compliance.trail.actor import Actor, Signer
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry

_Row = TypeVar("_Row", bound=Model)


class SignatureRequired(Exception):
    """The person has not signed this decision. Nothing was written; ``text`` is to be signed."""

    def __init__(self, text: str, *, at: datetime, subjects: Iterable[str]) -> None:
        super().__init__("found no signature of this decision; needed that of the person")
        self.text, self.at, self.subjects = text, at, list(subjects)


class _Decision(NamedTuple):
    record_id: UUID
    subject: str
    text: str
    at: datetime


class _Together:
    """Collects the records of one action, for one signature."""

    def __init__(self, signer: Signer | None) -> None:
        self._signer = signer
        self.subjects = named_subjects(signer)
        self.decisions: list[_Decision] = []

    def sign(self, text: str) -> tuple[bytes, bytes, bytes, bytes]:
        """The person's signature. Raises SignatureRequired if they have not signed."""
        if self._signer is None:
            subjects = [decision.subject for decision in self.decisions]
            raise SignatureRequired(text, at=self.decisions[0].at, subjects=subjects)
        return self._signer.sign(text)


def record_decision(entry: Entry, *, at: datetime, actor: Actor) -> None:
    """Writes an audit record with the actor's signature, in the current transaction.

    Raises SignatureRequired, NotEntitled, KeyNotInForce or InvalidAssertion.
    """
    with signed_together(actor) as signing:
        text = decision_text(entry, at=at, actor=actor)
        record_id = record_entry(entry, at=at, actor=actor)
        together = cast("_Together", signing.signer)
        together.decisions.append(_Decision(record_id, entry.subject, text, at))


def create_signed_step(model: type[_Row], *, at: datetime, actor: Actor, **columns: Any) -> _Row:
    """Writes a step and its audit record with the actor's signature, in the current transaction.

    ``model`` has a property ``entry``. ``compliance.trail.steps.create_step`` is the same without
    a signature. Raises as ``record_decision``.
    """
    step: Any = model._default_manager.create(
        at=at, actor=actor.name, actor_user_id=actor.user_id, **columns
    )
    record_decision(step.entry, at=at, actor=actor)
    return cast("_Row", step)


@contextmanager
def signed_together(actor: Actor) -> Iterator[Actor]:
    """Decisions that the actor who is returned takes are signed by one signature, at the end.

    Raises as ``record_decision``; nothing was written.
    """
    if isinstance(actor.signer, _Together):
        yield actor
        return
    together = _Together(actor.signer)
    with transaction.atomic():
        yield actor._replace(signer=together)
        if together.decisions:
            _sign(together, actor)


def named_subjects(signer: Signer | None) -> list[str]:
    """The subjects that the signed text names, so that new rows get the ids in their names."""
    return list(getattr(signer, "subjects", ()))


def number_signed(model: type[Model], prefix: str, actor: Actor) -> int | None:
    """The number of a new row that the actor's signature names; None for the next one.

    ``prefix`` is what a subject has before the number. The text of a decision names its subject; a
    new row was numbered when the person was asked to sign.
    """
    names = [name.removeprefix(prefix) for name in named_subjects(actor.signer)]
    numbers = [int(name) for name in names if name.isdecimal()]
    rows = model._default_manager.filter(pk__in=numbers)
    taken = set(rows.values_list("pk", flat=True))
    return next((number for number in numbers if number not in taken), None)


def _sign(together: _Together, actor: Actor) -> None:
    text = joint_text([decision.text for decision in together.decisions])
    assertion = Assertion(*together.sign(text))
    record_ids = [decision.record_id for decision in together.decisions]
    verifier = SignatureVerifier()
    for record in AuditRecord.objects.filter(pk__in=record_ids):
        verifier.require_entitled(record)
    at = max(decision.at for decision in together.decisions)
    key = key_in_force(assertion.credential_id, person_id=actor.user_id, at=at)
    verify_assertion(assertion, text=text, key=key.public)
    DecisionSignature.objects.bulk_create(
        DecisionSignature(
            record_id=record_id,
            signed_with=record_ids,
            key=key,
            authenticator_data=assertion.authenticator_data,
            client_data=assertion.client_data,
            signature=assertion.signature,
        )
        for record_id in record_ids
    )
