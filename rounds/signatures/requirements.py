"""Queries for the setting whether a table takes unsigned rounds."""

from typing import Final

from django.db.models import Exists, OuterRef, Subquery

from rounds.models import EarlierTable, SignatureRequirement, Table
from rounds.signatures.decided_by_persons import is_allowed_by_two

_REQUIRING: Final = (SignatureRequirement.Action.REQUIRED, SignatureRequirement.Action.PROPOSED)
"""A proposal to allow unsigned rounds changes nothing until it is approved."""


def latest_action() -> Subquery:
    """Annotation of tables, for ``requires_signature``: the action of the current step."""
    steps = SignatureRequirement.objects.filter(table=OuterRef("pk")).order_by("-sequence")
    return Subquery(steps.values_list("action")[:1])


def is_earlier() -> Exists:
    """Annotation of tables, for ``requires_signature``: whether it is from before signatures."""
    return Exists(EarlierTable.objects.filter(pk=OuterRef("pk")))


def requires_signature(table: Table, *, action: str | None, is_earlier: bool) -> bool:
    """Whether the table holds unsigned rounds, given ``latest_action`` and ``is_earlier``."""
    if action is None:
        return not is_earlier
    return action in _REQUIRING or requires_signature_now(table.pk)


def requires_signature_now(table_id: int) -> bool:
    """Whether the table holds unsigned rounds: unless two signatures allow them."""
    step = latest_requirement(table_id)
    if step is None:
        return not EarlierTable.objects.filter(pk=table_id).exists()
    return is_required(step)


def latest_requirement(table_id: int) -> SignatureRequirement | None:
    """The current step; None if the setting was never changed."""
    steps = SignatureRequirement.objects.filter(table_id=table_id).select_related("table")
    return steps.order_by("-sequence").first()


def is_required(step: SignatureRequirement) -> bool:
    """Whether unsigned rounds are held under this step: until two signatures allow them."""
    return step.action in _REQUIRING or not is_allowed_by_two(step)
