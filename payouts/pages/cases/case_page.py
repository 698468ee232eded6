"""The page of a case: what it is about, what it would do, who decided, how far it is."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.cases.remedies import Policy, Remedy, policy_of
from payouts.cases.standing import (
    APPROVABLE,
    PROPOSABLE,
    Stage,
    progress_of,
    stage_of,
    steps_of_case,
)
from payouts.models import Case, CaseEvidence, CaseRun, CaseStep, CaseWork
from payouts.pages.cases.effect_lines import effect_file, shown
from payouts.pages.cases.ruling_words import ruling_changes
from payouts.pages.cases.words import APPROVE, PROPOSE, why_not_approve
from payouts.pages.confirming import is_confirmed
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import has_factor
from payouts.queries import standings_of
from payouts.services.propose_case import effect_of_case, ruling_of_step
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS

_MOST_ROUNDS: Final = 30
_REFRESH_SECONDS: Final = 2


def show_case(request: HttpRequest, case_id: int) -> HttpResponse:
    """Everything about a case, and what this person may do about it."""
    case = get_object_or_404(Case.objects.select_related("table", "reason"), pk=case_id)
    steps = list(steps_of_case(case))
    run = CaseRun.objects.filter(pk=case.pk).first()
    stage = stage_of(case, steps[-1], run)
    proposal = _latest(steps, "proposed")
    rounds = _rounds_of(case)
    context = {
        "title": f"{case.get_kind_display()} {case}",
        "parent": {"title": _("Cases"), "address": reverse("cases")},
        "case": case,
        "stage": stage,
        "steps": steps,
        "seen": steps[-1].sequence,
        "proposal": proposal,
        "approval": _latest(steps, "approved"),
        "evidence": CaseEvidence.objects.filter(case=case).defer("content").order_by("pk"),
        "count": case.rounds.count(),
        "rounds": rounds,
        "frozen_cents": _frozen(rounds),
        "may_propose": request.user.has_perm(PROPOSE) and stage in PROPOSABLE,
        "may_act": request.user.has_perm(PROPOSE),
        "stages": _stages(stage, case),
        "now": timezone.now(),
        **_signing(request, steps, stage),
        **_execution(run),
        **_remedies(case, stage, proposal, asked=request.GET.get("remedy", "")),
    }
    return show(request, "pages/cases/case.html", context)


def show_effect_file(request: HttpRequest, case_id: int) -> HttpResponse:
    """Every customer of the effect of a remedy, or of what was proposed."""
    case = get_object_or_404(Case, pk=case_id)
    proposal = _latest(list(steps_of_case(case)), "proposed")
    chosen = request.GET.get("remedy", "")
    if chosen in Remedy.values and chosen not in {Remedy.CORRECT, Remedy.REFUND_BETS}:
        effect = effect_of_case(case, Remedy(chosen), None)
    elif proposal is not None and proposal.remedy != Remedy.CREDIT:
        effect = effect_of_case(case, Remedy(proposal.remedy), ruling_of_step(proposal))
    else:
        raise Http404
    return effect_file(str(case), effect)


def show_evidence(_request: HttpRequest, case_id: int, evidence_id: int) -> HttpResponse:
    """A file as it was handed in, never run by the browser."""
    kept = get_object_or_404(CaseEvidence, pk=evidence_id, case_id=case_id)
    answer = HttpResponse(bytes(kept.content), content_type=kept.content_type)
    answer["Content-Disposition"] = f'attachment; filename="{kept.case}-{kept.pk}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _latest(steps: list[CaseStep], action: str) -> CaseStep | None:
    found = [step for step in steps if step.action == action]
    return found[-1] if found else None


def _rounds_of(case: Case) -> list[tuple[Round, Any]]:
    """The first rounds of a case, each with how it stands."""
    ids = list(case.rounds.order_by("number").values_list("round_id", flat=True)[:_MOST_ROUNDS])
    rows = Round.objects.select_related("table").filter(id__in=ids).order_by("id")
    standings = standings_of(ids)
    return [(row, standings[row.id]) for row in rows]


def _frozen(rounds: list[tuple[Round, Any]]) -> int:
    """Stakes of rounds that nobody has decided about."""
    return sum([row.staked_cents for row, standing in rounds if standing.settlement is None])


def _signing(request: HttpRequest, steps: list[CaseStep], stage: Stage) -> dict[str, Any]:
    person = person_of(request)
    may_see = request.user.has_perm(APPROVE)
    return {
        "waits_for_approval": stage in APPROVABLE,
        "why_not": why_not_approve(person, steps, stage),
        "confirmed": is_confirmed(request) if may_see else False,
        "has_factor": has_factor(person) if may_see else False,
    }


def _execution(run: CaseRun | None) -> dict[str, Any]:
    """How far the workers are, and which rounds they could not do."""
    if run is None:
        return {"run": None}
    troubled = run.works.exclude(error="").select_related("round").order_by("number")
    return {
        "run": run,
        "progress": progress_of(run),
        "troubled": troubled[:_MOST_ROUNDS],
        "done": CaseWork.Outcome.DONE,
        "refresh_seconds": _REFRESH_SECONDS * (run.finished_at is None),
    }


def _remedies(case: Case, stage: Stage, proposal: CaseStep | None, *, asked: str) -> dict[str, Any]:
    """What could be or was proposed, and its effect as of now."""
    policy = _policy(case)
    if stage in PROPOSABLE and policy is not None and case.kind == Case.Kind.MALFUNCTION:
        options = [policy.remedy, *policy.others]
        remedy = Remedy(asked) if asked in {one.value for one in options} else policy.remedy
        effect = shown(effect_of_case(case, remedy, None))
        return {"policy": policy, "options": options, "remedy": remedy, "effect": effect}
    if proposal is None or proposal.remedy == Remedy.CREDIT:
        return {"policy": policy, "remedy": proposal and Remedy.CREDIT}
    remedy, ruling = Remedy(proposal.remedy), ruling_of_step(proposal)
    told: dict[str, Any] = {"policy": policy, "remedy": remedy}
    if ruling is not None:
        row = Round.objects.select_related("table").get(pk=case.rounds.get().round_id)
        told["changes"] = ruling_changes(row, ruling)
    if stage in {Stage.RUNNING, Stage.DONE, Stage.WITHDRAWN}:
        return told
    effect = shown(effect_of_case(case, remedy, ruling))
    has_changed = effect.effect.digest != bytes(proposal.effect_digest or b"")
    return {**told, "effect": effect, "has_changed": has_changed}


def _policy(case: Case) -> Policy | None:
    """What the sheet of its first round says; None where there is no round of a known one."""
    first = case.rounds.order_by("number").first()
    if first is None:
        return None
    name = Round.objects.values_list("rules", flat=True).get(pk=first.round_id)
    return policy_of(RULE_SETS[name]) if name in RULE_SETS else None


def _stages(stage: Stage, case: Case) -> list[tuple[str, str]]:
    """The way of a case in four or five words, each done, present or to come."""
    way = [_("Opened"), _("Proposed"), _("Two signatures"), _("Execution")]
    at = {
        Stage.DRAFT: 1,
        Stage.REJECTED: 1,
        Stage.PROPOSED: 2,
        Stage.ALLOWED: 2,
        Stage.RUNNING: 3,
        Stage.DONE: 4,
    }.get(stage, 2)
    if case.needs_regulator:
        way.insert(2, _("Regulator"))
        at += stage in {Stage.ALLOWED, Stage.RUNNING, Stage.DONE}
    states = ["done" if n < at else "now" if n == at else "later" for n in range(len(way))]
    return list(zip(way, states, strict=True))
