"""The bets of a round, grouped as a claim names them: by box and customer."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from payouts.models import BetSettlement, Settlement
from payouts.pages.why import Why, why_paid
from payouts.pages.words import play_words
from payouts.queries import Standing
from rounds.models import Bet, Round
from rounds.queries import stored_rounds
from rounds.rules.anomalies import PAYOUT_DIFFERS
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.wording import kind_words

MOST_BETS: Final = 200
"""Bets on one page."""


class BetLine(NamedTuple):
    """A bet, what it paid, by which rules, and the steps that led to it."""

    bet: Bet
    kind: str
    play: str
    settled: BetSettlement | None
    grade: Grade | None
    """What the rules give it: as settled, or as they would where the studio reports otherwise."""
    rules: tuple[Citation, ...]
    why: Why | None
    """None without a grade."""

    @property
    def payout_cents(self) -> int | None:
        """What it paid, None before it is settled."""
        return None if self.settled is None else self.settled.payout_cents

    @property
    def pill(self) -> str:
        """The outcome's pill, none for a bet about which nothing is known yet."""
        if self.settled is not None:
            return f"bet-{self.settled.outcome}"
        if self.grade is None or self.bet.reported_cents in {None, self.grade.payout_cents}:
            return ""
        return "bet-differs"


class BetGroup(NamedTuple):
    """The bets of one customer on one box."""

    box: int | None
    customer: str
    role: str
    participations: tuple[str, ...]
    lines: tuple[BetLine, ...]
    payout_cents: int | None


class BetPage(NamedTuple):
    """Some of a round's bets, in the order of the feed's list."""

    groups: tuple[BetGroup, ...]
    shown: int
    first: int
    last: int
    more_after: int | None
    """The number after which the next page starts; None on the last page."""
    stake_cents: int
    raised_cents: int


def bet_page(
    round_: Round,
    standing: Standing,
    rules: RuleSet,
    *,
    after: int | None,
    ruling: Ruling | None = None,
) -> BetPage:
    """A page of bets by number, never more than ``MOST_BETS``, and the sums of all bets.

    With a ruling, the bets as persons read them.
    """
    found = list(
        Bet.objects.filter(round=round_, number__gt=-1 if after is None else after)
        .select_related("customer")
        .order_by("number")[: MOST_BETS + 1]
    )
    bets = found[:MOST_BETS]
    for bet in bets:
        bet.play = bet.play if ruling is None else ruling.plays.get(bet.number, bet.play)
    settled = _settled(standing.settlement, bets)
    if standing.settlement is None and standing.anomalies == (PAYOUT_DIFFERS,):
        grades = _grades_by_the_rules(round_, rules, bets)
    else:
        grades = {number: _grade(one) for number, one in settled.items()}
    reasons = why_paid(round_, rules, grades, ruling)
    lines = [
        _line(
            bet,
            settled.get(bet.number),
            grades.get(bet.number),
            rules.reasons,
            reasons.get(bet.number),
        )
        for bet in bets
    ]
    sums = Bet.objects.filter(round=round_).aggregate(
        stake=Coalesce(Sum("stake_cents"), 0), raised=Coalesce(Sum("raised_cents"), 0)
    )
    return BetPage(
        tuple(_groups(lines)),
        len(bets),
        bets[0].number + 1 if bets else 0,
        bets[-1].number + 1 if bets else 0,
        bets[-1].number if len(found) > MOST_BETS else None,
        sums["stake"],
        sums["raised"],
    )


def _settled(settlement: Settlement | None, bets: Sequence[Bet]) -> dict[int, BetSettlement]:
    if settlement is None or not bets:
        return {}
    rows = BetSettlement.objects.filter(
        round_id=settlement.round_id,
        sequence=settlement.sequence,
        bet_number__range=(bets[0].number, bets[-1].number),
    )
    return {row.bet_number: row for row in rows}


def _grade(settled: BetSettlement) -> Grade:
    return Grade(settled.outcome, settled.payout_cents, settled.chips_cents, tuple(settled.reasons))


def _grades_by_the_rules(round_: Round, rules: RuleSet, bets: Sequence[Bet]) -> dict[int, Grade]:
    """What the bets of a round would pay that is held for its reported payouts alone."""
    [stored] = stored_rounds([round_.id])
    verdict = rules.judge(stored.dealt, stored.shoe_before, stored.limits)
    return {bet.number: verdict.grades[bet.number] for bet in bets}


def _line(
    bet: Bet,
    settled: BetSettlement | None,
    grade: Grade | None,
    citations: Mapping[str, Citation],
    why: Why | None,
) -> BetLine:
    reasons = grade.reasons if grade is not None else ()
    rules = tuple(citations[reason] for reason in reasons if reason in citations)
    return BetLine(bet, kind_words(bet.kind), play_words(bet.play), settled, grade, rules, why)


def _groups(lines: Iterable[BetLine]) -> Iterable[BetGroup]:
    """By box; at a box its owner first, then by the number of a customer's first bet."""
    lines = list(lines)
    first: dict[Any, tuple[bool, int]] = {}
    for line in lines:
        rank = line.bet.behind, line.bet.number
        first[_seat(line)] = min(first.get(_seat(line), rank), rank)
    ordered = sorted(
        lines, key=lambda line: (line.bet.box or 0, first[_seat(line)], line.bet.number)
    )
    for (box, _customer_id), seated in groupby(ordered, key=_seat):
        yield _group(box, tuple(seated))


def _seat(line: BetLine) -> tuple[int | None, int]:
    return line.bet.box, line.bet.customer_id


def _group(box: int | None, lines: tuple[BetLine, ...]) -> BetGroup:
    payouts = [line.settled.payout_cents for line in lines if line.settled is not None]
    participations = dict.fromkeys(line.bet.participation for line in lines)
    return BetGroup(
        box,
        lines[0].bet.customer.pseudonym,
        _role(lines),
        tuple(participations),
        lines,
        sum(payouts) if payouts else None,
    )


def _role(lines: Sequence[BetLine]) -> str:
    behind = [line.bet for line in lines if line.bet.behind and line.bet.kind == "main"]
    if not behind:
        return ""
    if behind[0].follows:
        return _("behind, follows the owner's raises")
    return _("behind, does not raise")
