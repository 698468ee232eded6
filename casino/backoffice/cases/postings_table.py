"""The postings of a case, as tables and as CSV."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from casino.backoffice.cases.effect_table import split_ends
from casino.backoffice.site.downloads import csv_attachment, escape_formula
from payouts.cases.case_bets import FIRST_BET, BetPosition, CaseBet, all_case_bets, case_bets
from payouts.cases.case_effect import CaseEffect, CustomerCaseEffect, case_effect, latest_proposal
from payouts.cases.models import Case, CaseStep
from payouts.cases.status import Stage
from rounds.formatting import bet_kind_label, in_rome
from rounds.rules.money import format_cents

DECIDED: Final = (Stage.RUNNING, Stage.DONE, Stage.WITHDRAWN, Stage.REJECTED)
"""In these stages the proposal is shown as stored, and postings as in the ledger."""

MOST_BETS: Final = 100
"""Bets per page."""
_PLACE: Final = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


class PostingRow(NamedTuple):
    """A customer, with the length of the bar."""

    customer: CustomerCaseEffect
    net_cents: int
    """The posted amount; the planned amount if the case was not executed."""
    percent: int


class PostingsTable(NamedTuple):
    """The postings of a case in at most thirty rows; all other customers are summed."""

    effect: CaseEffect
    totals: dict[str, int]
    lines: Sequence[PostingRow]
    others: int
    others_net_cents: int


class BetPage(NamedTuple):
    """A page of bets of a case."""

    lines: Sequence[tuple[CaseBet, str]]
    """Each bet with the name of its kind."""
    is_first: bool
    more_after: str
    """The position for the next page; empty on the last page."""


def postings_context(
    case: Case, stage: Stage, proposal: CaseStep | None, query: QueryDict
) -> dict[str, Any]:
    """Context of a case page: the plan and the postings."""
    if proposal is None:
        return {}
    context: dict[str, Any] = {}
    if stage in DECIDED:
        context["postings"] = _postings_table(case_effect(case, proposal))
    if case.kind != Case.Kind.GOODWILL:
        context["bet_postings"] = _page(case, proposal, _place(query.get("after", "")))
    return context


def postings_file(name: str, postings: CaseEffect) -> HttpResponse:
    """All customers as CSV, in euros with a decimal point."""
    columns = [
        _("Customer"),
        _("Bets"),
        *(_("Refunded and paid"), _("Taken back"), _("Net"), _("Golden chips"), _("Owed")),
        *(_("Planned: paid"), _("Planned: taken back"), _("Planned: net"), _("Planned: chips")),
    ]
    return csv_attachment(columns, map(_customer_cells, postings.customers), name=f"{name}.csv")


def show_bets_file(_request: HttpRequest, case_id: int) -> HttpResponse:
    """All bets of a case as CSV, planned and posted."""
    case = get_object_or_404(Case, pk=case_id)
    proposal = latest_proposal(case)
    if proposal is None or case.kind == Case.Kind.GOODWILL:
        raise Http404
    columns = [
        *(_("Round"), _("Opened"), _("Bet"), _("Customer"), _("Kind"), _("Staked")),
        *(_("State"), _("Settlement"), _("Paid before"), _("Planned"), _("Planned: net")),
        *(_("Refunded and paid"), _("Taken back"), _("Net")),
    ]
    rows = map(_bet_cells, all_case_bets(case, proposal))
    return csv_attachment(columns, rows, name=f"{case}-bets.csv")


def _postings_table(effect: CaseEffect) -> PostingsTable:
    lines = [(customer, _net(customer, effect)) for customer in effect.customers]
    listed, others = split_ends(lines)
    widest = max((abs(net) for _customer, net in listed), default=0) or 1
    return PostingsTable(
        effect,
        effect.totals,
        [PostingRow(customer, net, abs(net) * 100 // widest) for customer, net in listed],
        len(others),
        sum([net for _customer, net in others]),
    )


def _net(customer: CustomerCaseEffect, effect: CaseEffect) -> int:
    return customer.net_cents if effect.has_begun else customer.planned_net_cents


def _page(case: Case, proposal: CaseStep, after: BetPosition) -> BetPage:
    bets = case_bets(case, proposal, after=after, most=MOST_BETS + 1)
    lines = bets[:MOST_BETS]
    more = "" if len(bets) <= MOST_BETS else "{}-{}".format(*lines[-1].place)
    return BetPage([(line, bet_kind_label(line.kind)) for line in lines], after == FIRST_BET, more)


def _place(text: str) -> BetPosition:
    """The position after which a page starts; the first one if invalid."""
    match = _PLACE.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else FIRST_BET


def _customer_cells(customer: CustomerCaseEffect) -> list[str]:
    cents = (
        customer.credited_cents,
        -customer.taken_cents,
        customer.net_cents,
        customer.chips_cents,
        customer.owed_cents,
        customer.planned_credited_cents,
        -customer.planned_taken_cents,
        customer.planned_net_cents,
        customer.planned_chips_cents,
    )
    return [escape_formula(customer.pseudonym), str(customer.bets), *map(format_cents, cents)]


def _bet_cells(bet: CaseBet) -> list[str]:
    before, planned, net = bet.before_cents, bet.planned_cents, bet.planned_net_cents
    return [
        escape_formula(bet.round),
        in_rome(bet.opened_at)[0].isoformat(timespec="seconds"),
        escape_formula(bet.reference),
        escape_formula(bet.customer),
        bet_kind_label(bet.kind),
        format_cents(bet.staked_cents),
        str(bet.state.label),
        "" if bet.settlement is None else str(bet.settlement),
        *("" if cents is None else format_cents(cents) for cents in (before, planned, net)),
        format_cents(bet.credited_cents),
        format_cents(-bet.taken_cents),
        format_cents(bet.net_cents),
    ]
