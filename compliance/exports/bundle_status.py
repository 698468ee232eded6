"""Status of a bundle: built, signed, approved, sent, answered."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from compliance.exports.models import Bundle, BundleStep

SIGNATURES: Final = 2
"""Number of signatures required before a bundle is sent."""


class Stage(StrEnum):
    """Stage of a bundle by its steps. Supersession is independent of it."""

    BUILT = "built"
    SIGNED = "signed"
    """By the first of two persons."""
    APPROVED = "approved"
    SENT = "sent"
    RECEIVED = "received"
    REFUSED = "refused"
    SET_ASIDE = "set_aside"


SIGNABLE: Final = (Stage.BUILT, Stage.SIGNED)
SENDABLE: Final = (Stage.APPROVED, Stage.SENT, Stage.REFUSED)
"""A refused or lost bundle can be sent again."""
ANSWERABLE: Final = (Stage.SENT,)
DOWNLOADABLE: Final = (Stage.APPROVED, Stage.SENT, Stage.RECEIVED, Stage.REFUSED)
"""Stages in which the file can be downloaded: two persons have signed."""
_DONE: Final = [Stage.SENT.value, Stage.RECEIVED.value, Stage.SET_ASIDE.value]
SET_ASIDE_FROM: Final = (Stage.BUILT, Stage.SIGNED, Stage.APPROVED, Stage.REFUSED)


def stage_of(steps: Sequence[BundleStep]) -> Stage:
    """The stage of a bundle with these steps."""
    if not steps:
        return Stage.BUILT
    latest = steps[-1].action
    if latest != BundleStep.Action.SIGNED:
        return Stage(latest)
    return Stage.APPROVED if len(signers(steps)) >= SIGNATURES else Stage.SIGNED


def at_stage(bundles: QuerySet[Bundle], stage: Stage) -> QuerySet[Bundle]:
    """The bundles at a stage, consistent with ``stage_of``."""
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


def unsent_bundles() -> QuerySet[Bundle]:
    """Current bundles whose last step is not sent, received or set aside."""
    steps = BundleStep.objects.filter(bundle=OuterRef("number")).order_by("-sequence")
    current = Bundle.objects.filter(superseded_by=None)
    bundles = current.annotate(latest=Subquery(steps.values("action")[:1]))
    return bundles.filter(Q(latest=None) | ~Q(latest__in=_DONE))


def signers(steps: Iterable[BundleStep]) -> list[BundleStep]:
    """The signature steps in order."""
    return [step for step in steps if step.action == BundleStep.Action.SIGNED]


def steps_of(bundles: Iterable[Bundle]) -> dict[int, list[BundleStep]]:
    """The steps of each bundle in order, without attached files."""
    steps_by_bundle: dict[int, list[BundleStep]] = defaultdict(list)
    rows = BundleStep.objects.filter(bundle__in=[bundle.number for bundle in bundles])
    for step in rows.defer("content").order_by("bundle_id", "sequence"):
        steps_by_bundle[step.bundle_id].append(step)
    return steps_by_bundle


def superseded(bundles: Iterable[Bundle]) -> dict[int, int]:
    """The superseded bundles among these, with the number of their successor."""
    rows = Bundle.objects.filter(supersedes__in=[bundle.number for bundle in bundles])
    return dict(rows.values_list("supersedes_id", "number"))
