"""Assigning several held rounds at once: first the effect, then the action."""

from collections import Counter
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.rounds.round_columns import RoundRow
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.keyset_paging import SIZE
from casino.backoffice.site.views import show
from casino.backoffice.stuck_work.actions import AssignForm
from casino.backoffice.stuck_work.bulk_actions import (
    SelectedItem,
    outcome_of,
    selected_items,
    show_results,
)
from compliance.trail.people import name_of
from payouts.settlement.queries import RoundStatus, settlement_statuses
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.steps import latest_steps
from rounds.models import Round

HELD: Final = "{}?status=held"


class BulkAssignForm(AssignForm):
    """The new owner of the selected rounds, and a note. Each checkbox has its latest step."""

    seen = None  # type: ignore[assignment]  # removes the field


def assign_held_rounds(request: HttpRequest) -> HttpResponse:
    """The effect on the selected rounds; with ``confirmed`` the assignment."""
    back = HELD.format(reverse("admin:rounds_round_changelist"))
    form = BulkAssignForm(request.POST)
    items = [
        item
        for item in selected_items(request.POST.getlist("work")[:SIZE])
        if item.work.kind is WorkKind.ROUND
    ]
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return redirect(back)
    if not items:
        messages.warning(request, _("Select at least one round."))
        return redirect(back)
    if "confirmed" not in request.POST:
        return _show_effect(request, items, form.cleaned_data, back)
    results: Counter[str] = Counter()
    for item in items:
        assign = partial(
            assign_stuck_work,
            work=item.work,
            seen=item.seen,
            at=timezone.now(),
            actor=actor_in(request),
            **form.cleaned_data,
        )
        results[outcome_of(assign)] += 1
    show_results(request, results)
    return redirect(back)


def _show_effect(
    request: HttpRequest, items: list[SelectedItem], data: dict[str, Any], back: str
) -> HttpResponse:
    """What the assignment changes, before anything is changed."""
    keys = [item.work.key for item in items]
    statuses, steps = settlement_statuses(keys), latest_steps(WorkKind.ROUND, keys)
    rows = Round.objects.select_related("table").filter(pk__in=keys).order_by("pk")
    lines = [RoundRow(row, statuses[row.pk], steps.get(row.pk)) for row in rows]
    held = [line for line in lines if line.status.status is RoundStatus.HELD]
    owner = data["owner"]
    context = {
        "title": _("Assign held rounds"),
        "parent": {"title": _("Held rounds"), "address": back},
        "rows": held,
        "no_longer_held": len(items) - len(held),
        "staked_cents": sum(line.round.staked_cents for line in held),
        "owner": owner,
        "owner_name": name_of(owner) if owner else "",
        "note": data["note"],
        "marks": request.POST.getlist("work")[:SIZE],
        "back": back,
    }
    return show(request, "backoffice/rounds/assign_held_rounds.html", context)
