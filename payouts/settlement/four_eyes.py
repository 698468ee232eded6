"""The four-eyes principle: one person decides on money, another approves, with a reason."""

from datetime import datetime
from typing import NamedTuple

from compliance.trail.actor import Actor, is_same_person, normal_name
from compliance.trail.steps import StepError


class FourEyesRequired(StepError):
    """A decision on money without two different, named persons."""


class ReasonRequired(StepError):
    """A decision on money without a reason."""


class FourEyesDecision(NamedTuple):
    """Who decided and who approved, why and when. Made by ``four_eyes_decision``."""

    actor: Actor
    approved_by: Actor
    reason: str
    at: datetime


def four_eyes_decision(
    *, actor: Actor, approved_by: Actor | None, reason: str, at: datetime
) -> FourEyesDecision:
    """The decision of two persons. Raises FourEyesRequired or ReasonRequired."""
    if approved_by is None or not normal_name(actor.name) or not normal_name(approved_by.name):
        raise FourEyesRequired("found a decision of one; needed one to decide and one to approve")
    if is_same_person(actor.name, actor.user_id, approved_by):
        raise FourEyesRequired(f"found {actor.name} twice; needed two persons")
    return FourEyesDecision(actor, approved_by, require_reason(reason), at)


def require_reason(text: str) -> str:
    """Returns the reason without surrounding white space. Raises ReasonRequired."""
    if not text.strip():
        raise ReasonRequired("found no reason; needed one in words")
    return text.strip()
