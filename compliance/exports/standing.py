"""Where a bundle stands: built, signed, approved by two, sent, answered."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from compliance.exports.models import Bundle, BundleStep

SIGNATURES: Final = 2
"""So many persons sign a bundle before it is sent."""


class Stage(StrEnum):
    """Where it stands, by what persons did; that it was superseded is told apart."""

    BUILT = "built"
    SIGNED = "signed"
    """By one of two."""
    APPROVED = "approved"
    SENT = "sent"
    RECEIVED = "received"
    REFUSED = "refused"
    SET_ASIDE = "set_aside"


SIGNABLE: Final = (Stage.BUILT, Stage.SIGNED)
SENDABLE: Final = (Stage.APPROVED, Stage.SENT, Stage.REFUSED)
"""What was refused, or got lost, may be sent again: it is the same bundle."""
ANSWERABLE: Final = (Stage.SENT,)
GIVEN_AWAY: Final = (Stage.APPROVED, Stage.SENT, Stage.RECEIVED, Stage.REFUSED)
"""Two persons have said that its file may leave."""
LEAVABLE: Final = (Stage.BUILT, Stage.SIGNED, Stage.APPROVED, Stage.REFUSED)


def stage_of(steps: Sequence[BundleStep]) -> Stage:
    """Where a bundle with these steps stands."""
    if not steps:
        return Stage.BUILT
    latest = steps[-1].action
    if latest != BundleStep.Action.SIGNED:
        return Stage(latest)
    return Stage.APPROVED if len(signers(steps)) >= SIGNATURES else Stage.SIGNED


def at_stage(bundles: QuerySet[Bundle], stage: Stage) -> QuerySet[Bundle]:
    """Those of the bundles that stand there, as ``stage_of`` says it of their steps."""
    steps = BundleStep.objects.filter(bundle=OuterRef("pk")).order_by("-sequence")
    rows = bundles.alias(latest=Subquery(steps.values("action")[:1]))
    if stage is Stage.BUILT:
        return rows.filter(latest=None)
    if stage not in {Stage.SIGNED, Stage.APPROVED}:
        return rows.filter(latest=stage.value)
    signed = BundleStep.Action.SIGNED
    rows = rows.filter(latest=signed).alias(
        signatures=Count("steps", filter=Q(steps__action=signed))
    )
    is_approved = Q(signatures__gte=SIGNATURES)
    return rows.filter(is_approved if stage is Stage.APPROVED else ~is_approved)


def signers(steps: Iterable[BundleStep]) -> list[BundleStep]:
    """The signatures, first the first."""
    return [one for one in steps if one.action == BundleStep.Action.SIGNED]


def steps_of(bundles: Iterable[Bundle]) -> dict[int, list[BundleStep]]:
    """The steps of each of these bundles in their order, without the files that came with them."""
    found: dict[int, list[BundleStep]] = defaultdict(list)
    rows = BundleStep.objects.filter(bundle__in=[one.number for one in bundles])
    for step in rows.defer("content").order_by("bundle_id", "sequence"):
        found[step.bundle_id].append(step)
    return found


def superseded(bundles: Iterable[Bundle]) -> dict[int, int]:
    """Which of these bundles another took the place of, with the number of the other."""
    rows = Bundle.objects.filter(supersedes__in=[one.number for one in bundles])
    return dict(rows.values_list("supersedes_id", "number"))
