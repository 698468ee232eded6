"""The page of a dispute: subject, finding, history and actions."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.backoffice.archive.missing_rounds import show_missing_rounds
from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.comments.panel import comments_context
from casino.backoffice.disputes.dispute_list import due_colour
from casino.backoffice.disputes.messages import DECIDE, OPEN
from casino.backoffice.disputes.proposals import copied_proposal, proposals_about
from casino.backoffice.disputes.remedy_form import chosen_among, options_for, others_in
from casino.backoffice.replay_links.make_link import MAKE as MAKE_LINK
from casino.backoffice.security.confirmation import confirmation_context
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.stages import stages_at
from casino.backoffice.site.views import show
from compliance.exports.verification_file import is_page_installed
from payouts.cases.models import Case
from payouts.disputes.decide_dispute import citable_headings, involvement_in_dispute
from payouts.disputes.execute_remedy import stage_of_case
from payouts.disputes.models import (
    Dispute,
    DisputeEvidence,
    DisputeFinding,
    DisputeRemedy,
    DisputeStep,
)
from payouts.disputes.models.dispute_step import FOLLOWS
from payouts.disputes.queries import disputes_about
from payouts.disputes.status import DisputeStatus, State, dispute_status, steps_of
from rounds.formatting import bet_kind_label, is_italian
from rounds.models import Round

_MOST_LISTED: Final = 20
_DECIDED: Final = ("upheld", "partly_upheld", "rejected")


def show_dispute(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """The dispute, and the actions available to the user."""
    dispute = get_object_or_404(Dispute.objects.select_related("customer"), pk=dispute_id)
    head = {
        "title": _("Dispute") + f" {dispute}",
        "parent": {"title": _("Disputes"), "address": reverse("disputes")},
    }
    row = Round.objects.select_related("table").filter(pk=dispute.round_id).first()
    if row is None:
        return show_missing_rounds(request, head, [dispute.round_id])
    dispute.round = row
    steps = steps_of(dispute)
    status = dispute_status(steps)
    finding = DisputeFinding.objects.get(pk=dispute.pk)
    now = timezone.now()
    context = {
        **head,
        "dispute": dispute,
        "live": f"dispute:{dispute}",
        "row": row,
        "status": status,
        "state": status.state.value,
        "due": due_colour(status, now),
        "steps": steps,
        "seen": status.latest.sequence,
        "finding": finding,
        "content": finding.content,
        "lines": _lines(finding.content),
        "language": "it" if is_italian() else "en",
        "siblings": others_in(finding.content),
        "reminders": dispute.reminders.order_by("sequence"),
        "evidence": _evidence(dispute),
        "remedies": _remedies(dispute),
        "others": disputes_about(dispute.round_id).exclude(pk=dispute.pk)[:_MOST_LISTED],
        "stages": _stages(status, steps),
        "may_make_link": request.user.has_perm(MAKE_LINK),
        "has_verification_page": is_page_installed(),
        **comments_context(request, "dispute", dispute.pk),
        **_actions(request, dispute, status, finding),
    }
    return show(request, "backoffice/disputes/dispute.html", context)


def show_dispute_evidence(_request: HttpRequest, dispute_id: int, evidence_id: int) -> HttpResponse:
    """Download of a file as it was uploaded."""
    evidence = get_object_or_404(DisputeEvidence, pk=evidence_id, dispute_id=dispute_id)
    return attachment(
        bytes(evidence.content),
        name=f"{evidence.dispute}-{evidence.pk}",
        content_type=evidence.content_type,
    )


def dispute_or_404(dispute_id: int) -> Dispute:
    """The dispute. Raises Http404."""
    rows = Dispute.objects.select_related("customer", "round__table")
    return get_object_or_404(rows, pk=dispute_id)


def cases_to_name(dispute: Dispute) -> list[Case]:
    """Cases about the round that a decision can select as its remedy, newest first."""
    cases = Case.objects.filter(rounds__round_id=dispute.round_id).order_by("-pk")
    return [case for case in cases[:_MOST_LISTED] if stage_of_case(case).value != "withdrawn"]


def _actions(
    request: HttpRequest, dispute: Dispute, status: DisputeStatus, finding: DisputeFinding
) -> dict[str, Any]:
    """The actions available to the user, and the context of the decision form."""
    follows = FOLLOWS[status.latest.action]
    may_decide = request.user.has_perm(DECIDE)
    actions: dict[str, Any] = {
        "may_open": request.user.has_perm(OPEN),
        "may_decide": may_decide,
        "can": {action.name.lower(): action in follows for action in DisputeStep.Action},
        "is_decidable": "rejected" in follows,
    }
    if not may_decide or "rejected" not in follows:
        return actions
    has_bets = bool(finding.content["bets"])
    options = options_for(dispute, cases_to_name(dispute), has_bets=has_bets)
    proposals = proposals_about(dispute)
    copied = copied_proposal(proposals, request.GET)
    return {
        **actions,
        "proposals": proposals,
        "copied": copied,
        "involvement": involvement_in_dispute(dispute, actor_in(request)),
        "is_waiting": status.state is State.WAITING and not status.is_overdue(timezone.now()),
        "may_propose": request.user.has_perm(PROPOSE),
        "options": options,
        "chosen": chosen_among(options, dispute, finding.content, request.GET),
        "headings": list(enumerate(citable_headings(dispute))),
        "cited": _cited(finding.content) if copied is None else copied.cited,
        **confirmation_context(request),
    }


def _evidence(dispute: Dispute) -> QuerySet[DisputeEvidence]:
    """The evidence, each file with whether it is shared with the customer."""
    rows = DisputeEvidence.objects.filter(dispute=dispute).select_related("share")
    return rows.defer("content").order_by("pk")


def _lines(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The disputed bets, with the settled payout and the payout under the rules."""
    lines = []
    for bet in content["bets"]:
        settled, given = bet["settled"], bet["rules_give"]
        difference = None
        if settled and given:
            difference = given["payout_cents"] - settled["payout_cents"]
        lines.append({**bet, "label": bet_kind_label(bet["kind"]), "difference": difference})
    return lines


def _cited(content: dict[str, Any]) -> set[tuple[str, str]]:
    """The sections of the rules on which the payouts are based."""
    steps = [step for bet in content["bets"] for step in bet["steps"]]
    return {(step["sheet"], step["heading"]) for step in steps if step["heading"]}


def _remedies(dispute: Dispute) -> list[dict[str, Any]]:
    rows = DisputeRemedy.objects.filter(dispute=dispute).select_related("case", "customer")
    remedies = rows.order_by("-sequence", "-is_own", "case_id")[:_MOST_LISTED]
    return [{"row": remedy, "stage": stage_of_case(remedy.case).value} for remedy in remedies]


def _stages(status: DisputeStatus, steps: list[DisputeStep]) -> list[tuple[str, str]]:
    labels = [
        pgettext("dispute", "Opened"),
        _("Review"),
        _("Decision"),
        _("Remedy"),
        pgettext("dispute", "Closed"),
    ]
    decided = [step.action for step in steps if step.action in _DECIDED]
    if decided and decided[-1] == "rejected":
        labels.pop(3)
    at = {
        State.OPENED: 0,
        State.IN_REVIEW: 1,
        State.WAITING: 1,
        State.UPHELD: 3,
        State.PARTLY_UPHELD: 3,
        State.REJECTED: 3,
        State.ESCALATED: 3,
        State.CLOSED: len(labels),
    }[status.state]
    return stages_at(labels, at)
