"""Correct a round from the video: both versions side by side, and the effect on each bet."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.backoffice.cases.card_change import CardChangeForm
from casino.backoffice.cases.correction_form import (
    Corrected,
    json_of,
    original_facts,
    read_before,
    read_form,
    ruling_between,
    submitted_cards,
)
from casino.backoffice.cases.forms import ReasonForm
from casino.backoffice.cases.round_decisions import about, preview_of, propose_about, round_of
from casino.backoffice.cases.ruling_changes import ruling_changes
from casino.backoffice.rounds.faults import Faults, faults_of
from casino.backoffice.site.views import show
from payouts.cases.models import Case
from payouts.cases.remedies import Remedy
from payouts.settlement.queries import SettlementStatus, settlement_statuses
from rounds.feed import document_of
from rounds.formatting import play_label
from rounds.layouts.table import lay_out_table
from rounds.layouts.third_card_table import third_card_table
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round as Dealt
from rounds.rules.rule_set import RuleSet
from rounds.rulings import rulings_of

_MOST_PLAYS: Final = 40


def correct_round(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The editor, with a preview; ``propose`` proposes the correction."""
    row = round_of(round_id)
    rules = RULE_SETS.get(row.rules)
    if rules is None:
        messages.error(
            request, _("The rules of this round are not part of the running software version.")
        )
        return redirect("admin:rounds_round_change", row.pk)
    status = settlement_statuses([row.id])[row.id]
    faults = faults_of(row, status)
    corrected, change = _corrected(request, row, rules, status, faults)
    form = ReasonForm(request.POST or None, purpose="correction")
    is_sound = corrected.error is None and corrected.ruling.changes_facts
    if is_sound and "propose" in request.POST:
        answer = propose_about(
            request, row, Case.Kind.CORRECTION, form, Remedy.CORRECT, corrected.ruling
        )
        if answer is not None:
            return answer
    if "propose" not in request.POST:
        form = ReasonForm(purpose="correction", initial=request.POST.dict())
    context = {
        "title": _("Correction of round %(code)s") % {"code": row.game_code},
        "preview": preview_of(row, Remedy.CORRECT, corrected.ruling) if is_sound else None,
        "changes": ruling_changes(row, corrected.ruling) if is_sound else [],
        "error": corrected.error,
        "query": request.method == "POST",
        "faults": faults,
        "original_layout": lay_out_table(corrected.original.cards, boxes=rules.boxes),
        "corrected_layout": lay_out_table(corrected.corrected.cards, boxes=rules.boxes),
        "third_cards": None if rules.boxes else third_card_table(change.cards),
        "change": change,
        **_editor(request, corrected.corrected, rules),
        **about(row, form),
    }
    return show(request, "backoffice/cases/correct.html", context)


def _corrected(
    request: HttpRequest,
    row: Round,
    rules: RuleSet,
    status: SettlementStatus,
    faults: Faults | None,
) -> tuple[Corrected, CardChangeForm]:
    """The round as it is read so far, and the form for the next change of its cards."""
    if request.method == "POST":
        cards = submitted_cards(request.POST)
        change = CardChangeForm(request.POST, cards=cards, rules=rules)
        if change.is_valid() and "propose" not in request.POST:
            cards = change.changed()
        corrected = read_form(row, rules, request.POST, cards=cards)
        if change.is_valid():
            change = CardChangeForm(cards=cards, rules=rules)
        return corrected, change
    original = original_facts(row)
    settlement = status.settlement
    rulings = rulings_of([row.id]).get(row.id, {})
    ruling = None if settlement is None else rulings.get(settlement.sequence)
    read = read_before(original, ruling)
    corrected = Corrected(original, read, ruling_between(original, read), None)
    initial = _initial_change(faults, cards=len(read.cards))
    return corrected, CardChangeForm(initial=initial, cards=list(read.cards), rules=rules)


def _initial_change(faults: Faults | None, *, cards: int) -> dict[str, Any]:
    """The card at fault, or the place that lacks one; what happened is for the person to say."""
    at_fault = min(faults.cards, default=cards) if faults else cards
    return {"number": at_fault, "where": min(faults.lacks, default="") if faults else ""}


def _editor(request: HttpRequest, read: Dealt, rules: RuleSet) -> dict[str, Any]:
    """The other fields: the submitted values, else the round under its latest ruling."""
    typed = request.POST
    document = document_of(read)
    playable = [
        (number, bet, typed.get(f"play_{number}", bet.play), play_label(bet.play))
        for number, bet in enumerate(read.bets)
        if bet.kind in rules.raisable_kinds and not (bet.behind and bet.follows)
    ]
    return {
        "plays": playable[:_MOST_PLAYS],
        "bonus": typed.get("bonus", json_of(document, "bonus")) if rules.bonus_levels else None,
        "multipliers": (
            typed.get("multipliers", json_of(document, "multipliers"))
            if rules.multiplier_cards
            else None
        ),
    }
