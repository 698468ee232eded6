"""Approvals that await a second person."""

from collections.abc import Iterable
from typing import Final

from django.urls import reverse

from casino.access.models import AccessRequest
from casino.notifications.conditions.condition import Condition, Snapshot
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, approvals_of, status_of_key
from compliance.trail.people import name_of
from payouts.cases.awaiting_approval import cases_awaiting_approval
from rounds.models import StudioKey

_MOST: Final = 100


def approvals(look: Snapshot) -> Iterable[Condition]:
    """Everything that a second person must approve, with those who may and have not."""
    yield from _cases(look)
    yield from _access_requests(look)
    yield from _signing_keys(look)
    yield from _studio_keys(look)


def _cases(look: Snapshot) -> Iterable[Condition]:
    for case, own in cases_awaiting_approval():
        yield Condition(
            f"case:{case}",
            str(case),
            reverse("case", args=[case.pk]),
            look.people_with("payouts.approve_decision", without=own),
            look.compliance(without=own),
        )


def _access_requests(look: Snapshot) -> Iterable[Condition]:
    pending = AccessRequest.objects.filter(decision=None).select_related("person").order_by("pk")
    for request in pending[:_MOST]:
        own = {request.requested_by_id, request.person_id}
        yield Condition(
            f"access:{request.pk}",
            name_of(request.person) or "",
            reverse("access_requests"),
            look.people_with("casino.decide_access", without=own),
            look.compliance(without=own),
        )


def _signing_keys(look: Snapshot) -> Iterable[Condition]:
    recent = SigningKey.objects.prefetch_related("steps").order_by("-registered_at")
    for key in recent[:_MOST]:
        if status_of_key(key, at=look.at) is not KeyStatus.PENDING:
            continue
        approved = {step.actor_user_id for step in approvals_of(key) if step.actor_user_id}
        yield Condition(
            f"signing_key:{key.pk}",
            key.person_name,
            reverse("signing_keys"),
            look.people_with("signatures.decide_signing_key", without={key.person_id, *approved}),
        )


def _studio_keys(look: Snapshot) -> Iterable[Condition]:
    for key in StudioKey.objects.filter(steps=None).order_by("pk")[:_MOST]:
        yield Condition(
            f"studio_key:{key.pk}",
            f"{key.studio} {key.key_id[:8]}",
            reverse("studio_key", args=[key.pk]),
            look.people_with("rounds.approve_studio_key", without={key.actor_user_id}),
        )
