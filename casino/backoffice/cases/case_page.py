"""The page of a case: subject, effect, decisions and progress."""

from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.archive.missing_rounds import show_missing_rounds
from casino.backoffice.cases.case_signatures import halts_context, signatures_context
from casino.backoffice.cases.effect_table import effect_file, effect_table
from casino.backoffice.cases.messages import PROPOSE
from casino.backoffice.cases.postings_table import DECIDED, postings_context, postings_file
from casino.backoffice.cases.ruling_changes import ruling_changes
from casino.backoffice.comments.panel import comments_context
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.stages import stages_at
from casino.backoffice.site.views import show
from payouts.cases.case_effect import case_effect
from payouts.cases.halt_cases import is_halted
from payouts.cases.models import Case, CaseEvidence, CaseRun, CaseStep, CaseWork
from payouts.cases.propose_case import effect_of_case, ruling_of_step
from payouts.cases.remedies import Policy, Remedy, malfunction_policy
from payouts.cases.status import PROPOSABLE, Stage, progress_of, stage_of, steps_of_case
from payouts.settlement.queries import settlement_statuses
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS

_MOST_ROUNDS: Final = 30
_REFRESH_SECONDS: Final = 2


def show_case(request: HttpRequest, case_id: int) -> HttpResponse:
    """The case, and the actions available to the user."""
    case = get_object_or_404(Case.objects.select_related("table", "reason"), pk=case_id)
    steps = list(steps_of_case(case))
    run = CaseRun.objects.filter(pk=case.pk).first()
    latest = steps[-1] if steps else None
    stage = stage_of(case, latest, run)
    proposal = _latest(steps, "proposed")
    ids, rounds = _rounds_of(case)
    head = {
        "title": f"{case.get_kind_display()} {case}",
        "parent": {"title": _("Cases"), "address": reverse("cases")},
    }
    if missing := sorted(set(ids) - {row.pk for row, _status in rounds}):
        return show_missing_rounds(request, head, missing)
    context = {
        **head,
        "case": case,
        "live": f"case:{case}",
        "stage": stage,
        "steps": steps,
        "seen": 0 if latest is None else latest.sequence,
        "proposal": proposal,
        "evidence": CaseEvidence.objects.filter(case=case).defer("content").order_by("pk"),
        "count": case.rounds.count(),
        "rounds": rounds,
        "frozen_cents": _frozen(rounds),
        "may_propose": request.user.has_perm(PROPOSE) and stage in PROPOSABLE,
        "may_act": request.user.has_perm(PROPOSE),
        "stages": _stages(stage, case),
        "now": timezone.now(),
        **comments_context(request, "case", case.pk),
        **signatures_context(request, case, steps, stage),
        **halts_context(request, case, stage),
        **_execution(run),
        **_remedies(case, stage, proposal, chosen=request.GET.get("remedy", "")),
        **postings_context(case, stage, proposal, request.GET),
    }
    return show(request, "backoffice/cases/case.html", context)


def show_effect_file(request: HttpRequest, case_id: int) -> HttpResponse:
    """All customers as CSV: of a remedy, of the proposal, or of the executed case."""
    case = get_object_or_404(Case, pk=case_id)
    steps = list(steps_of_case(case))
    proposal = _latest(steps, "proposed")
    chosen = request.GET.get("remedy", "")
    latest = steps[-1] if steps else None
    stage = stage_of(case, latest, CaseRun.objects.filter(pk=case.pk).first())
    if not chosen and proposal is not None and stage in DECIDED:
        return postings_file(str(case), case_effect(case, proposal))
    if chosen in Remedy.values and chosen not in {Remedy.CORRECT, Remedy.REFUND_BETS}:
        effect = effect_of_case(case, Remedy(chosen), None)
    elif proposal is not None and proposal.remedy != Remedy.CREDIT:
        effect = effect_of_case(case, Remedy(proposal.remedy), ruling_of_step(proposal))
    else:
        raise Http404
    return effect_file(str(case), effect)


def show_evidence(_request: HttpRequest, case_id: int, evidence_id: int) -> HttpResponse:
    """Download of a file as it was uploaded."""
    evidence = get_object_or_404(CaseEvidence, pk=evidence_id, case_id=case_id)
    return attachment(
        bytes(evidence.content),
        name=f"{evidence.case}-{evidence.pk}",
        content_type=evidence.content_type,
    )


def _latest(steps: list[CaseStep], action: str) -> CaseStep | None:
    matching = [step for step in steps if step.action == action]
    return matching[-1] if matching else None


def _rounds_of(case: Case) -> tuple[list[UUID], list[tuple[Round, Any]]]:
    """The first rounds of a case, and those that the database has, each with its status."""
    ids = list(case.rounds.order_by("number").values_list("round_id", flat=True)[:_MOST_ROUNDS])
    rows = Round.objects.select_related("table").filter(id__in=ids).order_by("id")
    statuses = settlement_statuses(ids)
    return ids, [(row, statuses[row.id]) for row in rows]


def _frozen(rounds: list[tuple[Round, Any]]) -> int:
    """Stakes, in cents, of rounds without a settlement."""
    return sum([row.staked_cents for row, status in rounds if status.settlement is None])


def _execution(run: CaseRun | None) -> dict[str, Any]:
    """The progress of the workers, and the rounds that failed."""
    if run is None:
        return {"run": None}
    failed = run.works.exclude(error="").select_related("round").order_by("number")
    return {
        "run": run,
        "progress": progress_of(run),
        "failed": failed[:_MOST_ROUNDS],
        "done": CaseWork.Outcome.DONE,
        "refresh_seconds": _REFRESH_SECONDS * (run.finished_at is None and not is_halted()),
    }


def _remedies(
    case: Case, stage: Stage, proposal: CaseStep | None, *, chosen: str
) -> dict[str, Any]:
    """The possible or proposed remedies, with their current effect."""
    policy = _policy(case)
    options = _options(case, policy) if stage in PROPOSABLE else []
    if options:
        remedy = Remedy(chosen) if chosen in {option.value for option in options} else options[0]
        effect = effect_table(effect_of_case(case, remedy, None))
        return {"policy": policy, "options": options, "remedy": remedy, "effect": effect}
    if proposal is None or proposal.remedy == Remedy.CREDIT:
        return {"policy": policy, "remedy": proposal and Remedy.CREDIT}
    remedy, ruling = Remedy(proposal.remedy), ruling_of_step(proposal)
    context: dict[str, Any] = {"policy": policy, "remedy": remedy}
    if ruling is not None:
        row = Round.objects.select_related("table").get(pk=case.rounds.get().round_id)
        context["changes"] = ruling_changes(row, ruling)
    if stage in DECIDED:
        return context
    effect = effect_table(effect_of_case(case, remedy, ruling))
    has_changed = effect.effect.digest != bytes(proposal.effect_digest or b"")
    return {**context, "effect": effect, "has_changed": has_changed}


def _options(case: Case, policy: Policy | None) -> list[Remedy]:
    """The remedies that can be proposed: for a malfunction, or for rounds held on arrival."""
    if policy is None:
        return []
    if case.kind == Case.Kind.MALFUNCTION:
        return [policy.remedy, *policy.others]
    if case.kind != Case.Kind.RELEASE:
        return []
    first = case.rounds.order_by("number")[0]
    held = Round.objects.filter(pk=first.round_id).exclude(arrival_anomalies=[])
    return [Remedy.BY_RULES, Remedy.VOID] if held.exists() else []


def _policy(case: Case) -> Policy | None:
    """The policy of the sheet for the first round; None without a known rule set."""
    first = case.rounds.order_by("number").first()
    if first is None:
        return None
    name = Round.objects.values_list("rules", flat=True).get(pk=first.round_id)
    return malfunction_policy(RULE_SETS[name]) if name in RULE_SETS else None


def _stages(stage: Stage, case: Case) -> list[tuple[str, str]]:
    labels = [_("Opened"), _("Proposed"), _("Two signatures"), _("Execution")]
    at = {
        Stage.DRAFT: 1,
        Stage.REJECTED: 1,
        Stage.PROPOSED: 2,
        Stage.ALLOWED: 2,
        Stage.RUNNING: 3,
        Stage.DONE: 4,
    }.get(stage, 2)
    if case.needs_regulator:
        labels.insert(2, _("Regulator"))
        at += stage in {Stage.ALLOWED, Stage.RUNNING, Stage.DONE}
    return stages_at(labels, at)
