"""Opening a case that releases the held rounds of an uploaded feed together."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.cases.decisions import compute_decisions, decision_rule
from payouts.cases.models import Case, Reason
from payouts.cases.open_case import open_case
from payouts.cases.remedies import Remedy
from payouts.cases.round_selection import MOST_ROUNDS
from payouts.cases.uploaded_rounds import held_rounds_of_upload, rounds_outside_cases
from rounds.models.upload import FeedUpload

_AT_ONCE: Final = 500


class NoRoundsToRelease(StepError):
    """No round of the upload is held for its source alone and in no other case."""


def open_upload_release_case(
    *, upload_id: int, reason: Reason, text: str, at: datetime, actor: Actor
) -> Case:
    """Opens a case about the rounds held for their arrival alone, 5,000 at most.

    Rounds held by their rules as well are decided one by one. Raises NoRoundsToRelease or the
    errors of ``open_case``.
    """
    with transaction.atomic():
        lock_names([f"upload:{upload_id}"])
        upload = FeedUpload.objects.get(pk=upload_id)
        rounds = rounds_outside_cases(held_rounds_of_upload(upload)).order_by("id")
        held = list(rounds.values_list("id", flat=True))
        releasable: list[UUID] = []
        for first in range(0, len(held), _AT_ONCE):
            ids = held[first : first + _AT_ONCE]
            decisions, _obstacles = compute_decisions(ids, decision_rule(Remedy.BY_RULES, None))
            releasable += [decision.stored.id for decision in decisions]
            if len(releasable) >= MOST_ROUNDS:
                break
        if not releasable:
            raise NoRoundsToRelease(
                f"found no round of {upload.source} that is held for its source"
            )
        return open_case(
            kind=Case.Kind.RELEASE,
            reason=reason,
            text=text,
            round_ids=sorted(releasable)[:MOST_ROUNDS],
            at=at,
            actor=actor,
        )
