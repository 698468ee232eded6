"""Queries for the setting whether a table takes unsigned rounds."""

from typing import Final

from django.db.models import Case, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce

from rounds.models import SignatureRequirement

_REQUIRING: Final = (SignatureRequirement.Action.REQUIRED, SignatureRequirement.Action.PROPOSED)
"""A proposal to allow unsigned rounds changes nothing until it is approved."""


def requires_signature() -> Coalesce:
    """Annotation of tables: whether unsigned rounds are held."""
    steps = SignatureRequirement.objects.filter(table=OuterRef("pk")).order_by("-sequence")
    required = Case(When(action__in=_REQUIRING, then=Value(True)), default=Value(False))
    return Coalesce(Subquery(steps.values_list(required)[:1]), Value(False))


def latest_requirement(table_id: int) -> SignatureRequirement | None:
    """The current step; None if the setting was never changed."""
    steps = SignatureRequirement.objects.filter(table_id=table_id)
    return steps.order_by("-sequence").first()


def is_required(step: SignatureRequirement | None) -> bool:
    """Whether unsigned rounds are held under this step."""
    return step is not None and step.action in _REQUIRING
