"""The bets of a round, with payouts, reasons and explanations."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from django.utils.translation import get_language

from casino.api.client.shapes import rounds as shapes
from casino.api.client.shapes.page import Page
from casino.api.pages import page_of
from casino.api.query_params import QueryParams, make_cursor
from compliance.storage.prepared_statements import PendingResult, pipelined
from payouts.settlement.queries import SettlementStatus, ask_grades
from rounds.explanations.sentences import rule_summary, rule_title, sentences
from rounds.models import Customer, Round
from rounds.queries import SelectedBets, part_from, query_bets
from rounds.row_mapping import datetime_of
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation
from rounds.rules.explained.explanation import Explanation
from rounds.rules.facts import Bet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.rulings import rulings_of

DEFAULT_BETS: Final = 50
"""Bets of a page, and of the round itself."""
MOST_BETS: Final = 200
_CACHED_REASONS: Final = 1 << 10


class BetPage(NamedTuple):
    """A requested page of bets: the customer (None for all), the last index before it, its size."""

    customer: Customer | None
    after: int
    limit: int
    list_key: str


def requested_bets(row: Round, customer: Customer | None, params: QueryParams) -> BetPage:
    """The page that a call requests. Raises Problem."""
    key = params.list_key("bets", row.id.hex, customer and customer.pk)
    position = params.position(key)
    limit = params.limit(default=DEFAULT_BETS, most=MOST_BETS)
    return BetPage(customer, -1 if position is None else int(position), limit, key)


class PendingBets(NamedTuple):
    """The pending queries of a page of bets and of their grades."""

    bets: PendingResult[SelectedBets]
    grades: PendingResult[dict[int, Grade]] | None
    """None if the round has no settlement."""


def query_bet_page(row: Round, round_status: SettlementStatus, page: BetPage) -> PendingBets:
    """Queries a page of bets with two statements, inside ``pipelined``."""
    customer = None if page.customer is None else page.customer.pk
    settlement, after, most = round_status.settlement, page.after, page.limit + 1
    bets = query_bets(row, after=after, most=most, customer_id=customer)
    if settlement is None:
        return PendingBets(bets, None)
    grades = ask_grades(settlement, after=after, most=most, customer_id=customer)
    return PendingBets(bets, grades)


def read_bets(row: Round, round_status: SettlementStatus, page: BetPage) -> Page[shapes.Bet]:
    """A page of bets in the order of the feed."""
    with pipelined():
        pending = query_bet_page(row, round_status, page)
    return bets_of(row, round_status, page, pending)


def bets_of(
    row: Round, round_status: SettlementStatus, page: BetPage, pending: PendingBets
) -> Page[shapes.Bet]:
    """The same from pending queries.

    One more statement if the round was settled by a ruling.
    """
    part = part_from(row, pending.bets.answer(), ruling=_ruling(row, round_status))
    shown = dict(islice(part.bets.items(), page.limit))
    all_grades = {} if pending.grades is None else pending.grades.answer()
    grades = {number: grade for number, grade in all_grades.items() if number in shown}
    rules = RULE_SETS.get(row.rules)
    graded = [(shown[number], grade) for number, grade in grades.items()]
    explanations = rules.explain(part.dealt, graded) if rules and graded else ()
    explained = dict(zip(grades, explanations, strict=bool(explanations)))
    reasons = rules.reasons if rules else {}
    next_cursor = (
        make_cursor(page.list_key, str(max(shown))) if len(part.bets) > len(shown) else None
    )
    return page_of(
        (
            _bet(number, bet, grades.get(number), explained.get(number), reasons)
            for number, bet in shown.items()
        ),
        next_cursor,
    )


def _ruling(row: Round, round_status: SettlementStatus) -> Ruling | None:
    settlement = round_status.settlement
    if settlement is None or settlement.approved_by is None:
        return None
    return rulings_of([row.id]).get(row.id, {}).get(settlement.sequence)


def _bet(
    number: int,
    bet: Bet,
    grade: Grade | None,
    explanation: Explanation | None,
    citations: Mapping[str, Citation],
) -> shapes.Bet:
    return shapes.Bet(
        number=number,
        id=bet.id,
        customer=bet.player,
        participation=bet.participation,
        box=bet.box,
        kind=bet.kind,
        play=bet.play,
        funding="golden" if bet.golden else "cash",
        behind=bet.behind,
        follows=bet.follows,
        placed_at=datetime_of(bet.placed_at),
        stake_cents=bet.stake_cents,
        raised_cents=bet.raised_cents,
        reported_cents=bet.reported_cents,
        outcome=None if grade is None else grade.outcome,
        payout_cents=None if grade is None else grade.payout_cents,
        chips_cents=None if grade is None else grade.chips_cents,
        reasons=tuple(
            _reason(key, citations.get(key), get_language())
            for key in (() if grade is None else grade.reasons)
        ),
        explanation=_steps(explanation),
    )


@lru_cache(_CACHED_REASONS)
def _reason(key: str, citation: Citation | None, _language: str | None) -> shapes.BetReason:
    """Cached: bets share few reasons."""
    return shapes.BetReason(
        rule=key,
        sheet=None if citation is None else citation.sheet,
        heading=None if citation is None else citation.heading,
        title=None if citation is None else rule_title(citation),
        summary=None if citation is None else rule_summary(citation),
    )


def _steps(explanation: Explanation | None) -> tuple[shapes.ExplanationStep, ...]:
    steps = () if explanation is None else explanation.steps
    return tuple(
        shapes.ExplanationStep(
            text=text, rule=step.rule, adds_cents=step.cash_cents + step.chips_cents
        )
        for text, step in zip(sentences(steps), steps, strict=True)
    )
