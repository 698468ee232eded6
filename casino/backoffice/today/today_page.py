"""Today: items awaiting a person, results of the last days, and latest rounds."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.cases.messages import APPROVE
from casino.backoffice.gaming_days.days import overdue_day
from casino.backoffice.people.notices import notices_context
from casino.backoffice.reconciliation.reconciliations import last_differing_run
from casino.backoffice.today.background_jobs import running_jobs
from casino.backoffice.today.business import last_days
from casino.backoffice.today.first_steps import first_steps
from casino.backoffice.today.half_hours import lines_of
from casino.backoffice.today.tiles import MOST_COUNTED, tiles_for
from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.log_status import unsigned_since
from compliance.trail.witnesses.cosigned_heads import uncosigned_since
from payouts.cases.awaiting_approval import cases_awaiting
from payouts.cases.halt_cases import open_halts
from payouts.disputes.queries import near_due_dates
from payouts.integrity.stop_settlement import stops_in_force
from payouts.settlement.queries import (
    RoundStatus,
    SettlementStatus,
    rounds_with_status,
    settlement_statuses,
)
from rounds.gaming_day import gaming_day
from rounds.models import Round
from rounds.row_mapping import cards_of, milliseconds_of
from rounds.services.require_signed_rules import waiting_among
from rounds.services.sign_rules import unsigned_rule_sets

_LAST_ROUNDS: Final = 10
_OLDEST_HELD: Final = 8
_LAST_CARDS: Final = 3
_LATE: Final = timedelta(minutes=15)
"""The waiting time after which a held round is late."""
_MOST_APPROVALS: Final = 20
_TOPICS: Final = "access alarm bundle case day dispute exception feed inbox reconciliation round"
_TOTALS: Final = ("payouts.view_dailyrounds", "payouts.view_dailybets")


class HeldRound(NamedTuple):
    """A held round in the list."""

    row: Round
    anomalies: tuple[str, ...]
    last_cards: list[str]
    """The last three cards dealt, in feed format."""
    since: datetime
    """When the round was held."""
    is_late: bool


def today_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The context of the home page: notices, then for users who can see rounds the rest."""
    tour = first_steps(request, request_user(request))
    context |= {"title": _("Today"), "live": _TOPICS, "first_steps": tour}
    context |= notices_context(request)
    context["counts"] = tiles_for(request_user(request))
    if not request.user.has_perm("rounds.view_round"):
        return context
    held = rounds_with_status(Round.objects.select_related("table"), RoundStatus.HELD)
    last = list(Round.objects.select_related("table").order_by("-id")[:_LAST_ROUNDS])
    oldest = list(held.order_by("id")[:_OLDEST_HELD])
    statuses = settlement_statuses([row.id for row in (*last, *oldest)])
    context["differing"] = last_differing_run()
    context["is_stopped"] = bool(stops_in_force())
    context["halts"] = open_halts()
    context["unsigned_rules"] = unsigned_rule_sets()
    context["waiting_rules"] = waiting_among(context["unsigned_rules"])
    context["overdue"] = overdue_day()
    context["overdue_disputes"], context["due_disputes"] = _disputes_at_hand(timezone.now())
    context["log_loss"] = found_loss()
    context["log_waits_since"] = unsigned_since(timezone.now())
    context["uncosigned_since"] = uncosigned_since(timezone.now())
    context["held"] = _held_lines(oldest, statuses, at=timezone.now())
    context["jobs"] = running_jobs(request)
    if request.user.has_perm(APPROVE):
        waiting = cases_awaiting(request_user(request).pk)
        context["approvals"] = waiting.order_by("pk")[:_MOST_APPROVALS]
    context["last"] = [(row, statuses[row.id]) for row in last]
    if request.user.has_perms(_TOTALS):
        now = timezone.now()
        today = gaming_day(milliseconds_of(now))
        business, lines = last_days(today), lines_of(today, now=now)
        context["business"] = business
        context["tiles"] = [(game, results, lines.get(game)) for game, results in business.games]
    return context


def _held_lines(
    rows: Iterable[Round], statuses: Mapping[UUID, SettlementStatus], *, at: datetime
) -> list[HeldRound]:
    """Rounds are evaluated within seconds of arrival, so the waiting time starts there."""
    return [
        HeldRound(
            row,
            statuses[row.id].anomalies,
            [card for _place, card in cards_of(row.cards)[-_LAST_CARDS:]],
            row.received_at,
            at - row.received_at >= _LATE,
        )
        for row in rows
    ]


def _disputes_at_hand(now: datetime) -> tuple[int, int]:
    """The numbers of overdue and of due disputes, at most ``MOST_COUNTED`` together."""
    due_dates = near_due_dates(now, most=MOST_COUNTED)
    overdue = sum(due_at <= now for due_at in due_dates)
    return overdue, len(due_dates) - overdue
