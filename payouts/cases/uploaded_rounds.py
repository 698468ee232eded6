"""Rounds of feeds uploaded by hand: which are held, and who uploaded them."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from compliance.trail.actor import Actor
from payouts.cases.models import Case, CaseRound
from payouts.cases.status import open_cases
from payouts.settlement.models import Settlement
from rounds.models import Round
from rounds.models.upload import FeedUpload
from rounds.rules.anomalies import UNSIGNED_SOURCE


def held_rounds_of_upload(upload: FeedUpload) -> QuerySet[Round]:
    """The rounds of an upload that are not decided."""
    settled = Settlement.objects.filter(round_id=OuterRef("pk"))
    return (
        Round.objects.exclude(arrival_anomalies=[])
        .filter(source=upload.source, arrival_anomalies__contains=[UNSIGNED_SOURCE])
        .exclude(Exists(settled))
    )


def rounds_outside_cases(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds that are in no open case."""
    about = CaseRound.objects.filter(round_id=OuterRef("pk"), case__in=open_cases())
    return rounds.exclude(Exists(about))


def cases_of_upload(upload: FeedUpload) -> QuerySet[Case]:
    """Open cases about rounds of an upload."""
    rounds = CaseRound.objects.filter(
        case_id=OuterRef("pk"), round_id__in=held_rounds_of_upload(upload).values("id")
    )
    return open_cases().filter(Exists(rounds)).order_by("-pk")


def has_uploaded(case: Case, person: Actor) -> bool:
    """Whether the person uploaded a round of the case."""
    ids: list[UUID] = list(case.rounds.values_list("round_id", flat=True))
    flagged = Round.objects.exclude(arrival_anomalies=[]).filter(
        id__in=ids, arrival_anomalies__contains=[UNSIGNED_SOURCE]
    )
    sources = set(flagged.values_list("source", flat=True))
    by_person = Q(actor_user_id=person.user_id) | Q(actor__iexact=person.name)
    return FeedUpload.objects.filter(by_person, source__in=sources, delivery=None).exists()
