"""Decisions of one person on what another one requested: both sign, each request counts once.

The record of such a decision repeats the details of its request, and names ``requested_by`` and
``requested_at``.
"""

from datetime import UTC
from uuid import UUID

from compliance.signatures.models import DecisionSignature
from compliance.signatures.signature_verifier import (
    SignatureVerifier,
    UnsignedDecision,
    with_signatures,
)
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.models import AuditRecord


def request_of(decision: AuditRecord, requested: str, verifier: SignatureVerifier) -> UUID | None:
    """The record of the request that was decided, which another person signed, about a third.

    ``requested`` is the action of its record; None if there is none. Requests from before
    signatures name their number instead of the time.
    """
    said = decision.details
    requester, decider = said.get("requested_by"), decision.actor_user_id
    if decision.subject in {f"user:{requester}", f"user:{decider}"}:
        return None
    requests = AuditRecord.objects.filter(
        action=requested, subject=decision.subject, actor_user_id=requester
    )
    for request, signature in with_signatures(requests.order_by("id")):
        number_or_time = {"requested_at": request.at.astimezone(UTC).isoformat()}
        if signature is None:
            number_or_time = {"request": request.details.get("request", "")}
        if (
            said.items() >= {**request.details, **number_or_time}.items()
            and not is_same_person(request.actor, requester, Actor(decision.actor, decider))
            and is_signed_record(request, signature, verifier)
        ):
            return request.id
    return None


def is_signed_record(
    record: AuditRecord, signature: DecisionSignature | None, verifier: SignatureVerifier
) -> bool:
    """Whether the actor of the record signed it, or decided it before signatures."""
    try:
        verifier.verify(record, signature)
    except UnsignedDecision:
        return False
    return True
