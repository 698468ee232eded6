"""The records that people comment on, and the people whom a comment can mention."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from casino.access.roles import VIEWER_ROLES
from payouts.cases.models import Case
from payouts.disputes.models import Dispute
from rounds.models import Customer, Round

WRITE: Final = "payouts.write_comment"
"""Permission to write comments on what one may see."""
LOOK: Final = "payouts.view_comment"
"""Permission to see the list of comments."""


class RecordKind(NamedTuple):
    """A kind of record: its model, the permission to see it, and the name of its page."""

    model: type[Model]
    permission: str
    page: str


RECORD_KINDS: Final[Mapping[str, RecordKind]] = {
    "customer": RecordKind(Customer, "rounds.view_customer", "admin:rounds_customer_change"),
    "round": RecordKind(Round, "rounds.view_round", "admin:rounds_round_change"),
    "case": RecordKind(Case, "payouts.view_case", "case"),
    "dispute": RecordKind(Dispute, "payouts.view_dispute", "dispute"),
}


def record_or_404(request: HttpRequest, kind: str, key: str) -> Any:
    """The record. Raises Http404, and PermissionDenied where the user may not see it."""
    if kind not in RECORD_KINDS:
        raise Http404
    record = RECORD_KINDS[kind]
    if not request.user.has_perm(record.permission):
        raise PermissionDenied
    try:
        return get_object_or_404(record.model, pk=key)
    except (ValueError, ValidationError) as error:  # no number, no UUID
        raise Http404 from error


def people_to_mention() -> QuerySet[User]:
    """Everybody who may see these records, by name."""
    people = User.objects.filter(is_active=True, groups__name__in=VIEWER_ROLES).distinct()
    return people.order_by("last_name", "first_name", "username")
