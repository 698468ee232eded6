"""The bets of a round, with payouts, reasons and explanations."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

from django.utils.translation import get_language

from casino.api.client.shapes import rounds as shapes
from casino.api.client.shapes.page import Page
from casino.api.pages import page_of
from casino.api.query_params import QueryParams, make_cursor
from casino.api.rounds.query_params import CUSTOMER
from compliance.storage.prepared_statements import PendingResult, pipelined
from payouts.settlement.models import Settlement
from payouts.settlement.queries import SettlementStatus, ask_grades, first_grades
from rounds.explanations.sentences import rule_summary, rule_title, sentences
from rounds.models import Customer, Round
from rounds.queries import SelectedBets, first_bets, part_from, query_bets
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
    key = _list_key(row, customer, params)
    position = params.position(key)
    limit = params.limit(default=DEFAULT_BETS, most=MOST_BETS)
    return BetPage(customer, -1 if position is None else int(position), limit, key)


def _list_key(row: Round, customer: Customer | None, params: QueryParams) -> str:
    """That of the list of bets, whose cursors the round and the list of rounds give as well."""
    return params.list_key("bets", row.id.hex, customer and customer.pk, filters=(CUSTOMER.name,))


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
    selected = pending.bets.answer()
    grades = {} if pending.grades is None else pending.grades.answer()
    settlement = round_status.settlement
    rulings = rulings_of([row.id]) if settlement and settlement.approved_by else {}
    return _page_of_bets(row, page, selected, grades, _ruling(settlement, rulings))


def first_bets_of(
    rows: Collection[Round],
    settlements: Mapping[UUID, Settlement],
    customer: Customer | None,
    params: QueryParams,
) -> dict[UUID, Page[shapes.Bet]]:
    """The first page of bets of each round, by its latest settlement; three queries for all."""
    customer_id, most = None if customer is None else customer.pk, DEFAULT_BETS + 1
    bets = first_bets(rows, most=most, customer_id=customer_id)
    grades = first_grades(settlements.values(), most=most, customer_id=customer_id)
    rulings = rulings_of(settlements.keys())
    pages = {
        row.id: BetPage(customer, -1, DEFAULT_BETS, _list_key(row, customer, params))
        for row in rows
    }
    return {
        row.id: _page_of_bets(
            row,
            pages[row.id],
            bets[row.id],
            grades.get(row.id, {}),
            _ruling(settlements.get(row.id), rulings),
        )
        for row in rows
    }


def _page_of_bets(
    row: Round,
    page: BetPage,
    selected: SelectedBets,
    all_grades: Mapping[int, Grade],
    ruling: Ruling | None,
) -> Page[shapes.Bet]:
    part = part_from(row, selected, ruling=ruling)
    shown = dict(islice(part.bets.items(), page.limit))
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


def _ruling(
    settlement: Settlement | None, rulings: Mapping[UUID, Mapping[int, Ruling]]
) -> Ruling | None:
    if settlement is None or settlement.approved_by is None:
        return None
    return rulings.get(settlement.round_id, {}).get(settlement.sequence)


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
