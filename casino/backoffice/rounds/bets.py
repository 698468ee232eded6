"""The bets of a round, grouped by box and customer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from casino.backoffice.rounds.explanations import why_paid
from casino.backoffice.rounds.why import Why
from payouts.settlement.models import BetSettlement, Settlement
from payouts.settlement.queries import SettlementStatus
from rounds.formatting import bet_kind_label, play_label
from rounds.models import Bet, Round
from rounds.queries import stored_rounds
from rounds.rules.anomalies import PAYOUT_DIFFERS
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade

MOST_BETS: Final = 200
"""Bets per page."""


class BetRow(NamedTuple):
    """A bet with its payout, rules and explanation."""

    bet: Bet
    kind: str
    play: str
    settled: BetSettlement | None
    grade: Grade | None
    """The grade under the rules: as settled, or as it would be if the studio reports otherwise."""
    rules: tuple[Citation, ...]
    why: Why | None
    """None without a grade."""
    faults: Sequence[str]
    """The errors of the bet in a held round."""

    @property
    def payout_cents(self) -> int | None:
        """The payout in cents; None before settlement."""
        return None if self.settled is None else self.settled.payout_cents

    @property
    def badge(self) -> str:
        """The badge of the outcome; empty without one."""
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
    lines: tuple[BetRow, ...]
    payout_cents: int | None


class BetPage(NamedTuple):
    """A page of bets, in feed order."""

    groups: tuple[BetGroup, ...]
    shown: int
    first: int
    last: int
    more_after: int | None
    """The number after which the next page starts; None on the last page."""
    stake_cents: int
    raised_cents: int


def _no_faults(_number: int) -> Sequence[str]:
    return ()


def bet_page(
    round_: Round,
    status: SettlementStatus,
    rules: RuleSet,
    *,
    after: int | None,
    ruling: Ruling | None = None,
    faults: Callable[[int], Sequence[str]] = _no_faults,
    customer_id: int | None = None,
) -> BetPage:
    """A page of at most ``MOST_BETS`` bets by number, and the totals of all bets.

    With a ruling, the corrected bets. ``faults`` are the errors of single bets. With a customer,
    only that customer's bets, in the totals as well.
    """
    listed = Bet.objects.filter(round=round_)
    if customer_id is not None:
        listed = listed.filter(customer_id=customer_id)
    rows = list(
        listed.filter(number__gt=-1 if after is None else after)
        .select_related("customer")
        .order_by("number")[: MOST_BETS + 1]
    )
    bets = rows[:MOST_BETS]
    for bet in bets:
        bet.play = bet.play if ruling is None else ruling.plays.get(bet.number, bet.play)
    settled = _settled(status.settlement, bets)
    if status.settlement is None and status.anomalies == (PAYOUT_DIFFERS,):
        grades = _grades_by_the_rules(round_, rules, bets)
    else:
        grades = {number: _grade(bet) for number, bet in settled.items()}
    reasons = why_paid(round_, rules, grades, ruling, customer_id=customer_id)
    lines = [
        _line(
            bet,
            settled.get(bet.number),
            grades.get(bet.number),
            rules.reasons,
            reasons.get(bet.number),
            faults(bet.number),
        )
        for bet in bets
    ]
    sums = listed.aggregate(
        stake=Coalesce(Sum("stake_cents"), 0), raised=Coalesce(Sum("raised_cents"), 0)
    )
    return BetPage(
        tuple(_groups(lines)),
        len(bets),
        bets[0].number + 1 if bets else 0,
        bets[-1].number + 1 if bets else 0,
        bets[-1].number if len(rows) > MOST_BETS else None,
        sums["stake"],
        sums["raised"],
    )


def _settled(settlement: Settlement | None, bets: Sequence[Bet]) -> dict[int, BetSettlement]:
    if settlement is None or not bets:
        return {}
    rows = BetSettlement.objects.filter(
        round_id=settlement.round_id,
        sequence=settlement.sequence,
        bet_number__in=[bet.number for bet in bets],
    )
    return {row.bet_number: row for row in rows}


def _grade(settled: BetSettlement) -> Grade:
    return Grade(settled.outcome, settled.payout_cents, settled.chips_cents, tuple(settled.reasons))


def _grades_by_the_rules(round_: Round, rules: RuleSet, bets: Sequence[Bet]) -> dict[int, Grade]:
    """The payouts under the rules of a round held only for its reported payouts."""
    [stored] = stored_rounds([round_.id])
    verdict = rules.judge(stored.dealt, stored.shoe_before, stored.limits)
    return {bet.number: verdict.grades[bet.number] for bet in bets}


def _line(
    bet: Bet,
    settled: BetSettlement | None,
    grade: Grade | None,
    citations: Mapping[str, Citation],
    why: Why | None,
    faults: Sequence[str],
) -> BetRow:
    reasons = grade.reasons if grade is not None else ()
    rules = tuple(citations[reason] for reason in reasons if reason in citations)
    kind, play = bet_kind_label(bet.kind), play_label(bet.play)
    return BetRow(bet, kind, play, settled, grade, rules, why, faults)


def _groups(lines: Iterable[BetRow]) -> Iterable[BetGroup]:
    """By box; on a box the owner first, then by first bet."""
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


def _seat(line: BetRow) -> tuple[int | None, int]:
    return line.bet.box, line.bet.customer_id


def _group(box: int | None, lines: tuple[BetRow, ...]) -> BetGroup:
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


def _role(lines: Sequence[BetRow]) -> str:
    behind = [line.bet for line in lines if line.bet.behind and line.bet.kind == "main"]
    if not behind:
        return ""
    if behind[0].follows:
        return _("bet behind, follows the owner's raises")
    return _("bet behind, does not raise")
