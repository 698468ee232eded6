"""Queries for the setting whether a table takes unsigned rounds."""

from typing import Final

from django.db.models import OuterRef, Subquery

from rounds.models import SignatureRequirement, Table
from rounds.signatures.decided_by_persons import is_allowed_by_two

_REQUIRING: Final = (SignatureRequirement.Action.REQUIRED, SignatureRequirement.Action.PROPOSED)
"""A proposal to allow unsigned rounds changes nothing until it is approved."""


def latest_action() -> Subquery:
    """Annotation of tables, for ``requires_signature``: the action of the current step."""
    steps = SignatureRequirement.objects.filter(table=OuterRef("pk")).order_by("-sequence")
    return Subquery(steps.values_list("action")[:1])


def requires_signature(table: Table, action: str | None) -> bool:
    """Whether the table holds unsigned rounds, given its ``latest_action``."""
    if action in {None, *_REQUIRING}:
        return action is not None
    return is_required(latest_requirement(table.pk))


def latest_requirement(table_id: int) -> SignatureRequirement | None:
    """The current step; None if the setting was never changed."""
    steps = SignatureRequirement.objects.filter(table_id=table_id).select_related("table")
    return steps.order_by("-sequence").first()


def is_required(step: SignatureRequirement | None) -> bool:
    """Whether unsigned rounds are held under this step: until two signatures allow them."""
    if step is None:
        return False
    return step.action in _REQUIRING or not is_allowed_by_two(step)
