"""The bets of a round as JSON, with payouts, reasons and explanations."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language

from casino.api.query_params import QueryParams, make_cursor
from casino.api.representation import page_to_json, timestamp
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


def read_bets(row: Round, round_status: SettlementStatus, page: BetPage) -> dict[str, Any]:
    """A page of bets in the order of the feed."""
    with pipelined():
        pending = query_bet_page(row, round_status, page)
    return bets_to_json(row, round_status, page, pending)


def bets_to_json(
    row: Round, round_status: SettlementStatus, page: BetPage, pending: PendingBets
) -> dict[str, Any]:
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
    return page_to_json(
        (
            _bet_to_json(number, bet, grades.get(number), explained.get(number), reasons)
            for number, bet in shown.items()
        ),
        next_cursor,
    )


def _ruling(row: Round, round_status: SettlementStatus) -> Ruling | None:
    settlement = round_status.settlement
    if settlement is None or settlement.approved_by is None:
        return None
    return rulings_of([row.id]).get(row.id, {}).get(settlement.sequence)


def _bet_to_json(
    number: int,
    bet: Bet,
    grade: Grade | None,
    explanation: Explanation | None,
    citations: Mapping[str, Citation],
) -> dict[str, Any]:
    return {
        "number": number,
        "id": bet.id,
        "customer": bet.player,
        "participation": bet.participation,
        "box": bet.box,
        "kind": bet.kind,
        "play": bet.play,
        "funding": "golden" if bet.golden else "cash",
        "behind": bet.behind,
        "follows": bet.follows,
        "placed_at": timestamp(datetime_of(bet.placed_at)),
        "stake_cents": bet.stake_cents,
        "raised_cents": bet.raised_cents,
        "reported_cents": bet.reported_cents,
        "outcome": None if grade is None else grade.outcome,
        "payout_cents": None if grade is None else grade.payout_cents,
        "chips_cents": None if grade is None else grade.chips_cents,
        "reasons": [
            _reason(key, citations.get(key), get_language())
            for key in (() if grade is None else grade.reasons)
        ],
        "explanation": _steps(explanation),
    }


@lru_cache(_CACHED_REASONS)
def _reason(key: str, citation: Citation | None, _language: str | None) -> Mapping[str, Any]:
    """Cached: bets share few reasons."""
    reason = {"rule": key, "sheet": None, "heading": None, "title": None, "summary": None}
    if citation is None:
        return reason
    return reason | {
        "sheet": citation.sheet,
        "heading": citation.heading,
        "title": rule_title(citation),
        "summary": rule_summary(citation),
    }


def _steps(explanation: Explanation | None) -> list[dict[str, Any]]:
    steps = () if explanation is None else explanation.steps
    return [
        {"text": text, "rule": step.rule, "adds_cents": step.cash_cents + step.chips_cents}
        for text, step in zip(sentences(steps), steps, strict=True)
    ]
