"""Decisions about one round: release, refund of bets, correction."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.cases.actions import ERRORS
from casino.backoffice.cases.effect_table import EffectTable, effect_table
from casino.backoffice.cases.forms import ReasonForm
from casino.backoffice.cases.messages import error_message
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.form_data import digest_of, numbers_of
from casino.backoffice.site.views import show
from payouts.cases.decisions import Obstacle, RoundDecision, compute_decisions, decision_rule
from payouts.cases.effect import effect_of
from payouts.cases.models import Case
from payouts.cases.open_case import open_case
from payouts.cases.propose_case import propose_case
from payouts.cases.remedies import Remedy
from rounds.formatting import bet_kind_label
from rounds.models import Bet, Round
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade

_MOST_LINES: Final = 200


class BetChange(NamedTuple):
    """The payout of a bet, before and after."""

    bet: Bet
    kind: str
    before: Grade | None
    after: Grade
    difference_cents: int


class Preview(NamedTuple):
    """The effect of a decision about one round."""

    remedy: Remedy
    effect: EffectTable
    obstacle: Obstacle | None
    changes: Sequence[BetChange]
    unchanged: int
    """Number of bets with an unchanged payout."""


def preview_of(row: Round, remedy: Remedy, ruling: Ruling | None) -> Preview:
    """The effect of the remedy on each bet, now."""
    decisions, obstacles = compute_decisions([row.id], decision_rule(remedy, ruling))
    changes = _changes(row, decisions[0]) if decisions else []
    return Preview(
        remedy,
        effect_table(effect_of(decisions, obstacles)),
        obstacles[0] if obstacles else None,
        changes[:_MOST_LINES],
        row.bet_count - len(changes),
    )


def release_round(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Propose to settle a held round as dealt, or to void it."""
    row = round_of(round_id)
    chosen = request.POST.get("remedy", request.GET.get("remedy", ""))
    remedies = _releases(row)
    previews = [preview_of(row, remedy, None) for remedy in remedies]
    form = ReasonForm(request.POST or None, purpose="release")
    if request.method == "POST" and chosen in remedies:
        answer = propose_about(request, row, Case.Kind.RELEASE, form, Remedy(chosen), None)
        if answer is not None:
            return answer
    context = {
        "title": _("Release of round %(code)s") % {"code": row.game_code},
        "previews": previews,
        "chosen": chosen,
        **about(row, form),
    }
    return show(request, "backoffice/cases/release.html", context)


def _releases(row: Round) -> list[Remedy]:
    """The possible releases; by the rules only if the round is held for its arrival alone."""
    by_rules = [Remedy.BY_RULES] if row.arrival_anomalies else []
    return [*by_rules, Remedy.REAL_RESULT, Remedy.VOID]


def refund_bets(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Propose to refund single bets of a round."""
    row = round_of(round_id)
    numbers = numbers_of(request, "bet")
    ruling = Ruling(refunded=numbers)
    preview = preview_of(row, Remedy.REFUND_BETS, ruling) if numbers else None
    form = ReasonForm(request.POST or None, purpose="refund")
    if numbers and "propose" in request.POST:
        answer = propose_about(request, row, Case.Kind.REFUND, form, Remedy.REFUND_BETS, ruling)
        if answer is not None:
            return answer
    if "propose" not in request.POST:
        form = ReasonForm(purpose="refund", initial=request.POST.dict())
    bets = Bet.objects.filter(round=row).select_related("customer").order_by("number")
    context = {
        "title": _("Refund of bets of round %(code)s") % {"code": row.game_code},
        "bets": [
            (bet, bet_kind_label(bet.kind), bet.number in numbers) for bet in bets[:_MOST_LINES]
        ],
        "preview": preview,
        **about(row, form),
    }
    return show(request, "backoffice/cases/refund.html", context)


def round_of(round_id: UUID) -> Round:
    """The round. Raises Http404."""
    return get_object_or_404(Round.objects.select_related("table"), pk=round_id)


def about(row: Round, form: ReasonForm) -> dict[str, Any]:
    """Context shared by the pages about one round."""
    address = reverse("admin:rounds_round_change", args=[row.pk])
    return {"row": row, "form": form, "parent": {"title": row.game_code, "address": address}}


def propose_about(
    request: HttpRequest,
    row: Round,
    kind: Case.Kind,
    form: ReasonForm,
    remedy: Remedy,
    ruling: Ruling | None,
) -> HttpResponse | None:
    """Open a case and propose, in one transaction. None if the form shows an error."""
    if not form.is_valid():
        return None
    data, actor, at = form.cleaned_data, signing_actor(request), decided_at(request)
    try:
        with transaction.atomic():
            case = open_case(
                kind=kind,
                reason=data["reason"],
                text=data["text"],
                round_ids=[row.id],
                at=at,
                actor=actor,
            )
            propose_case(
                case_id=case.pk,
                seen=1,
                remedy=remedy,
                ruling=ruling,
                effect_digest=digest_of(request.POST.get(f"digest_{remedy.value}", "")),
                note=data["text"],
                at=at,
                actor=actor,
            )
    except ERRORS as error:
        form.add_error(None, error_message(error))
        return None
    messages.success(request, _("Proposal recorded. A second person must approve it."))
    return redirect("case", case.pk)


def _changes(row: Round, decision: RoundDecision) -> list[BetChange]:
    """The bets whose payout changes."""
    grades = decision.verdict.grades
    before: Sequence[Grade | None] = decision.before or [None] * len(grades)
    differing = [n for n, grade in enumerate(grades) if grade != before[n]]
    bets = Bet.objects.filter(round=row, number__in=differing).select_related("customer")
    changes = []
    for bet in bets.order_by("number"):
        was, grade = before[bet.number], grades[bet.number]
        paid = 0 if was is None else was.payout_cents
        kind = bet_kind_label(bet.kind)
        changes.append(BetChange(bet, kind, was, grade, grade.payout_cents - paid))
    return changes
