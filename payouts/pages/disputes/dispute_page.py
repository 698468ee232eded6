"""The page of a dispute: what is contested, what was found, what was done, what is to be done."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from payouts.disputes.queries import disputes_about
from payouts.disputes.standing import Standing, State, standing_of, steps_of
from payouts.models import (
    Case,
    Dispute,
    DisputeEvidence,
    DisputeFinding,
    DisputeRemedy,
    DisputeStep,
)
from payouts.models.dispute_step import FOLLOWS
from payouts.pages.asked import asker
from payouts.pages.cases.words import PROPOSE
from payouts.pages.confirming import is_confirmed
from payouts.pages.disputes.listing import due_colour
from payouts.pages.disputes.proposals import proposals_about, words_taken_over
from payouts.pages.disputes.remedy_asked import chosen_among, options_for, others_in
from payouts.pages.disputes.words import DECIDE, OPEN
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import has_factor
from payouts.services.decide_dispute import headings_for, why_not_impartial
from payouts.services.dispute_remedies import stage_of_case
from rounds.wording import kind_words

_MOST_LISTED: Final = 20
_DECIDED: Final = ("upheld", "partly_upheld", "rejected")


def show_dispute(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Everything about a dispute, and what this person may do about it now."""
    dispute = known(dispute_id)
    steps = steps_of(dispute)
    standing = standing_of(steps)
    finding = DisputeFinding.objects.get(pk=dispute.pk)
    now = timezone.now()
    context = {
        "title": _("Dispute") + f" {dispute}",
        "parent": {"title": _("Disputes"), "address": reverse("disputes")},
        "dispute": dispute,
        "row": dispute.round,
        "standing": standing,
        "state": standing.state.value,
        "due": due_colour(standing, now),
        "steps": steps,
        "seen": standing.latest.sequence,
        "finding": finding,
        "found": finding.content,
        "lines": _lines(finding.content),
        "language": "it" if (get_language() or "").startswith("it") else "en",
        "siblings": others_in(finding.content),
        "reminders": dispute.reminders.order_by("sequence"),
        "evidence": DisputeEvidence.objects.filter(dispute=dispute).defer("content").order_by("pk"),
        "remedies": _remedies(dispute),
        "others": disputes_about(dispute.round_id).exclude(pk=dispute.pk)[:_MOST_LISTED],
        "stages": _stages(standing, steps),
        **_deeds(request, dispute, standing, finding),
    }
    return show(request, "pages/disputes/dispute.html", context)


def show_dispute_evidence(_request: HttpRequest, dispute_id: int, evidence_id: int) -> HttpResponse:
    """A file as it was handed in, never run by the browser."""
    kept = get_object_or_404(DisputeEvidence, pk=evidence_id, dispute_id=dispute_id)
    answer = HttpResponse(bytes(kept.content), content_type=kept.content_type)
    answer["Content-Disposition"] = f'attachment; filename="{kept.dispute}-{kept.pk}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def known(dispute_id: int) -> Dispute:
    """The dispute, or the answer that there is none."""
    rows = Dispute.objects.select_related("customer", "round__table")
    return get_object_or_404(rows, pk=dispute_id)


def cases_to_name(dispute: Dispute) -> list[Case]:
    """Cases about the round that a decision may name as its remedy, newest first."""
    cases = Case.objects.filter(rounds__round_id=dispute.round_id).order_by("-pk")
    return [one for one in cases[:_MOST_LISTED] if stage_of_case(one).value != "withdrawn"]


def _deeds(
    request: HttpRequest, dispute: Dispute, standing: Standing, finding: DisputeFinding
) -> dict[str, Any]:
    """What the person may do, and what the decision's form needs."""
    follows = FOLLOWS[standing.latest.action]
    may_decide = request.user.has_perm(DECIDE)
    deeds: dict[str, Any] = {
        "may_open": request.user.has_perm(OPEN),
        "may_decide": may_decide,
        "can": {action: action in follows for action in DisputeStep.Action.values},
        "is_decidable": "rejected" in follows,
    }
    if not may_decide or "rejected" not in follows:
        return deeds
    has_bets = bool(finding.content["bets"])
    options = options_for(dispute, cases_to_name(dispute), has_bets=has_bets)
    person = person_of(request)
    proposals = proposals_about(dispute)
    taken_over = words_taken_over(proposals, request.GET)
    return {
        **deeds,
        "proposals": proposals,
        "taken_over": taken_over,
        "hand": why_not_impartial(dispute, asker(request)),
        "waits": standing.state is State.WAITING and not standing.is_overdue(timezone.now()),
        "may_propose": request.user.has_perm(PROPOSE),
        "options": options,
        "chosen": chosen_among(options, dispute, finding.content, request.GET),
        "headings": list(enumerate(headings_for(dispute))),
        "cited": _cited(finding.content) if taken_over is None else taken_over.cited,
        "confirmed": is_confirmed(request),
        "has_factor": has_factor(person),
    }


def _lines(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The contested bets with what they were paid beside what the rules give."""
    lines = []
    for bet in found["bets"]:
        settled, given = bet["settled"], bet["rules_give"]
        difference = None
        if settled and given:
            difference = given["payout_cents"] - settled["payout_cents"]
        lines.append({**bet, "words": kind_words(bet["kind"]), "difference": difference})
    return lines


def _cited(found: dict[str, Any]) -> set[tuple[str, str]]:
    """The headings on which the contested bets' payouts rest."""
    steps = [step for bet in found["bets"] for step in bet["steps"]]
    return {(step["sheet"], step["heading"]) for step in steps if step["heading"]}


def _remedies(dispute: Dispute) -> list[dict[str, Any]]:
    rows = DisputeRemedy.objects.filter(dispute=dispute).select_related("case", "customer")
    found = rows.order_by("-sequence", "-is_own", "case_id")[:_MOST_LISTED]
    return [{"row": one, "stage": stage_of_case(one.case).value} for one in found]


def _stages(standing: Standing, steps: list[DisputeStep]) -> list[tuple[str, str]]:
    """The way of a dispute in words, each done, present or to come."""
    way = [
        pgettext("dispute", "Opened"),
        _("Review"),
        _("Decision"),
        _("Remedy"),
        pgettext("dispute", "Closed"),
    ]
    decided = [step.action for step in steps if step.action in _DECIDED]
    if decided and decided[-1] == "rejected":
        way.pop(3)
    at = {
        State.OPENED: 0,
        State.IN_REVIEW: 1,
        State.WAITING: 1,
        State.UPHELD: 3,
        State.PARTLY_UPHELD: 3,
        State.REJECTED: 3,
        State.ESCALATED: 3,
        State.CLOSED: len(way),
    }[standing.state]
    states = ["done" if n < at else "now" if n == at else "later" for n in range(len(way))]
    return list(zip(way, states, strict=True))
