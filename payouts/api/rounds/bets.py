"""A round's bets with what they paid and why, as data and as sentences."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from compliance.trail.prepared import Pending, together
from payouts.api.asked import Asked, cursor_of
from payouts.api.rounds.told import moment, page_told
from payouts.queries import Standing, ask_grades
from rounds.models import Customer, Round
from rounds.queries import SomeBets, ask_bets, part_with
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation
from rounds.rules.explained.explanation import Explanation
from rounds.rules.facts import Bet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.rulings import rulings_of
from rounds.sentences import sentences
from rounds.storage import datetime_of

BETS_ASIDE: Final = 50
"""Bets that come with their round; the others have pages of their own."""
MOST_BETS: Final = 200
_KEPT: Final = 1 << 10


class AskedBets(NamedTuple):
    """Which bets: of whom, behind which number, how many."""

    customer: Customer | None
    after: int
    limit: int
    name: str


def bets_asked(row: Round, customer: Customer | None, asked: Asked) -> AskedBets:
    """The page that a call asks for. Raises Problem."""
    name = asked.name("bets", row.id.hex, customer and customer.pk)
    place = asked.place(name)
    limit = asked.limit(default=BETS_ASIDE, most=MOST_BETS)
    return AskedBets(customer, -1 if place is None else int(place), limit, name)


class PendingBets(NamedTuple):
    """A page of bets that was asked for, and what they were paid."""

    bets: Pending[SomeBets]
    paid: Pending[dict[int, Grade]] | None
    """None where the round has no settlement."""


def ask_page(row: Round, standing: Standing, asked: AskedBets) -> PendingBets:
    """Asks for a page of bets by two statements, however many there are; for ``together``."""
    customer = None if asked.customer is None else asked.customer.pk
    settlement, after, most = standing.settlement, asked.after, asked.limit + 1
    bets = ask_bets(row, after=after, most=most, customer_id=customer)
    if settlement is None:
        return PendingBets(bets, None)
    paid = ask_grades(settlement, after=after, most=most, customer_id=customer)
    return PendingBets(bets, paid)


def bets_told(row: Round, standing: Standing, asked: AskedBets) -> dict[str, Any]:
    """A page of bets in the order of the feed."""
    with together():
        pending = ask_page(row, standing, asked)
    return page_of_bets(row, standing, asked, pending)


def page_of_bets(
    row: Round, standing: Standing, asked: AskedBets, pending: PendingBets
) -> dict[str, Any]:
    """The same, once it was asked for.

    One more statement where the round was settled by a ruling of persons.
    """
    part = part_with(row, pending.bets.answer(), ruling=_ruling(row, standing))
    shown = dict(islice(part.bets.items(), asked.limit))
    found = {} if pending.paid is None else pending.paid.answer()
    grades = {number: grade for number, grade in found.items() if number in shown}
    rules = RULE_SETS.get(row.rules)
    graded = [(shown[number], grade) for number, grade in grades.items()]
    whys = rules.explain(part.dealt, graded) if rules and graded else ()
    explained = dict(zip(grades, whys, strict=bool(whys)))
    reasons = rules.reasons if rules else {}
    following = cursor_of(asked.name, str(max(shown))) if len(part.bets) > len(shown) else None
    return page_told(
        (
            _told(number, bet, grades.get(number), explained.get(number), reasons)
            for number, bet in shown.items()
        ),
        following,
    )


def _ruling(row: Round, standing: Standing) -> Ruling | None:
    settlement = standing.settlement
    if settlement is None or settlement.approved_by is None:
        return None
    return rulings_of([row.id]).get(row.id, {}).get(settlement.sequence)


def _told(
    number: int,
    bet: Bet,
    grade: Grade | None,
    why: Explanation | None,
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
        "placed_at": moment(datetime_of(bet.placed_at)),
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
        "explanation": _steps(why),
    }


@lru_cache(_KEPT)
def _reason(key: str, cited: Citation | None, _language: str | None) -> Mapping[str, Any]:
    """Kept, because every bet has one of few."""
    told = {"rule": key, "sheet": None, "heading": None, "title": None, "summary": None}
    if cited is None:
        return told
    return told | {
        "sheet": cited.sheet,
        "heading": cited.heading,
        "title": _(cited.title),
        "summary": _(cited.summary),
    }


def _steps(why: Explanation | None) -> list[dict[str, Any]]:
    steps = () if why is None else why.steps
    return [
        {"text": said, "rule": step.rule, "adds_cents": step.cash_cents + step.chips_cents}
        for said, step in zip(sentences(steps), steps, strict=True)
    ]
