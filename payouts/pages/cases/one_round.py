"""Deciding about one round: releasing a held one, giving bets back, correcting what was told."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.cases.decisions import Obstacle, RoundDecision, decisions_on, rule_of
from payouts.cases.effect import effect_of
from payouts.cases.remedies import Remedy
from payouts.models import Case
from payouts.pages.asked import asker
from payouts.pages.cases.deciding import REFUSALS
from payouts.pages.cases.effect_lines import EffectShown, shown
from payouts.pages.cases.forms import ReasonForm
from payouts.pages.cases.words import refusal_words
from payouts.pages.own_pages import show
from payouts.services.open_case import open_case
from payouts.services.propose_case import propose_case
from rounds.models import Bet, Round
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.wording import kind_words

_MOST_LINES: Final = 200


class BetChange(NamedTuple):
    """What a bet was paid, and what it would be."""

    bet: Bet
    kind: str
    before: Grade | None
    after: Grade
    difference_cents: int


class Preview(NamedTuple):
    """One decision about one round, before anybody commits to it."""

    remedy: Remedy
    shown: EffectShown
    obstacle: Obstacle | None
    changes: Sequence[BetChange]
    unchanged: int
    """Bets that would be paid as they were."""


def preview_of(row: Round, remedy: Remedy, ruling: Ruling | None) -> Preview:
    """What the remedy would do to the round now, bet by bet."""
    decisions, obstacles = decisions_on([row.id], rule_of(remedy, ruling))
    changes = _changes(row, decisions[0]) if decisions else []
    return Preview(
        remedy,
        shown(effect_of(decisions, obstacles)),
        obstacles[0] if obstacles else None,
        changes[:_MOST_LINES],
        row.bet_count - len(changes),
    )


def release_round(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """A held round as dealt, or void."""
    row = round_of(round_id)
    chosen = request.POST.get("remedy", "")
    previews = [preview_of(row, one, None) for one in (Remedy.REAL_RESULT, Remedy.VOID)]
    form = ReasonForm(request.POST or None, purpose="release")
    if request.method == "POST" and chosen in {Remedy.REAL_RESULT, Remedy.VOID}:
        answer = propose_about(request, row, Case.Kind.RELEASE, form, Remedy(chosen), None)
        if answer is not None:
            return answer
    context = {
        "title": _("Release of round %(code)s") % {"code": row.game_code},
        "previews": previews,
        "chosen": chosen,
        **about(row, form),
    }
    return show(request, "pages/cases/release.html", context)


def refund_bets(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Single bets of a round, given back."""
    row = round_of(round_id)
    numbers = frozenset(int(one) for one in request.POST.getlist("bet") if one.isdecimal())
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
        "bets": [(one, kind_words(one.kind), one.number in numbers) for one in bets[:_MOST_LINES]],
        "preview": preview,
        **about(row, form),
    }
    return show(request, "pages/cases/refund.html", context)


def round_of(round_id: UUID) -> Round:
    """The round, or the answer that there is none."""
    return get_object_or_404(Round.objects.select_related("table"), pk=round_id)


def about(row: Round, form: ReasonForm) -> dict[str, Any]:
    """What every page about one round shows."""
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
    """Opens a case about the round and proposes, both or neither; None where it says why not."""
    if not form.is_valid():
        return None
    said, actor, at = form.cleaned_data, asker(request), timezone.now()
    try:
        with transaction.atomic():
            case = open_case(
                kind=kind,
                reason=said["reason"],
                text=said["text"],
                round_ids=[row.id],
                at=at,
                actor=actor,
            )
            propose_case(
                case_id=case.pk,
                seen=1,
                remedy=remedy,
                ruling=ruling,
                effect_digest=_digest(request.POST.get(f"digest_{remedy.value}", "")),
                note=said["text"],
                at=at,
                actor=actor,
            )
    except REFUSALS as refusal:
        form.add_error(None, refusal_words(refusal))
        return None
    messages.success(request, _("Proposed. A second person decides."))
    return redirect("case", case.pk)


def _digest(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _changes(row: Round, decision: RoundDecision) -> list[BetChange]:
    """The bets that would be paid otherwise, or for the first time."""
    grades = decision.verdict.grades
    before: Sequence[Grade | None] = decision.before or [None] * len(grades)
    differing = [n for n, grade in enumerate(grades) if grade != before[n]]
    bets = Bet.objects.filter(round=row, number__in=differing).select_related("customer")
    changes = []
    for bet in bets.order_by("number"):
        was, grade = before[bet.number], grades[bet.number]
        paid = 0 if was is None else was.payout_cents
        kind = kind_words(bet.kind)
        changes.append(BetChange(bet, kind, was, grade, grade.payout_cents - paid))
    return changes
