"""Sets multiplier weights; a second person approves them."""

import hashlib
from datetime import date, datetime

from django.db import transaction

from compliance.certification.models import WeightSet, WeightSetApproval
from compliance.certification.returns.weights_document import read_weights
from compliance.signatures.sign_decision import record_decision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person


class WeightsError(Exception):
    """Weights cannot be set or approved; nothing was written."""


class SecondPersonRequired(WeightsError):
    """The actor is a machine, or approves weights that the same person set."""


class AlreadyApproved(WeightsError):
    """The weights are approved already."""


class MissingReason(WeightsError):
    """The reason is empty."""


def set_weights(
    *, content: str, in_force_from: date, reason: str, at: datetime, actor: Actor
) -> WeightSet:
    """Stores the weights of a document, to be in force from a day on when they are approved.

    Raises WeightsError, or InvalidWeights with the name of the invalid field. The actor signs:
    raises as ``record_decision``.
    """
    if actor.user_id is None:
        raise SecondPersonRequired(f"actor: found {actor.name}; needed a person with an account")
    if not reason.strip():
        raise MissingReason("reason: found no text; needed why they are set")
    rules = read_weights(content).rules
    with transaction.atomic():
        weights = WeightSet.objects.create(
            rules=rules.name,
            in_force_from=in_force_from,
            content=content,
            digest=hashlib.sha256(content.encode()).digest(),
            reason=reason.strip(),
            set_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        record_decision(weights.entry, at=at, actor=actor)
    return weights


def approve_weights(*, weights_id: int, at: datetime, actor: Actor) -> None:
    """Approves weights that another person has set.

    Raises WeightsError, or WeightSet.DoesNotExist. The actor signs: raises as ``record_decision``.
    """
    weights = WeightSet.objects.get(pk=weights_id)
    if actor.user_id is None or is_same_person(weights.actor, weights.actor_user_id, actor):
        raise SecondPersonRequired(
            f"actor: found {actor.name}; needed another person than {weights.actor}"
        )
    with transaction.atomic():
        lock_names([f"weights:{weights_id}"])
        if WeightSetApproval.objects.filter(weights=weights).exists():
            raise AlreadyApproved(f"weights: found {weights} approved; needed some that are not")
        approval = WeightSetApproval.objects.create(
            weights=weights, approved_at=at, actor=actor.name, actor_user_id=actor.user_id
        )
        record_decision(approval.entry, at=at, actor=actor)
