"""The decisions of a case on its rounds, computed without moving money."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Self
from uuid import UUID

from django.db import connection

from payouts.cases.remedies import Remedy, ruling_for
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import QueuedRound, Validation
from rounds.rule_inputs import RoundToJudge, rounds_to_judge
from rounds.rules import verdict as verdicts
from rounds.rules.catalogue import rule_set
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD, Grade, Verdict
from rounds.rules.void import BY_DECISION
from rounds.services.validate import RulesChangedError, judge_round

_SHORTFALLS: Final = """
    SELECT origin, credit_id, sum(amount_cents)::bigint
      FROM payouts_transfer
     WHERE purpose = 'shortfall' AND (origin, entry) IN
           (SELECT * FROM unnest(%s::uuid[], %s::smallint[]))
     GROUP BY origin, credit_id
"""


class Obstacle(NamedTuple):
    """A round that the remedy cannot decide, and why."""

    round_id: UUID
    reference: str
    waits: bool
    """Whether it awaits a worker, which takes moments."""
    anomalies: tuple[str, ...]
    """What its rules find; empty if it awaits a worker or its rules have changed."""


class PlannedSettlement(NamedTuple):
    """The settlement that a decision gives a round, as proposals store it."""

    round_id: UUID
    after: int
    """The sequence of the present settlement; 0 for none."""
    outcomes: Sequence[str]
    payouts_cents: Sequence[int]
    chips_cents: Sequence[int]

    @classmethod
    def of(cls, round_id: UUID, after: int, grades: Sequence[Grade]) -> Self:
        """The plan that these grades, by bet number, make."""
        outcomes = [grade.outcome for grade in grades]
        payouts = [grade.payout_cents for grade in grades]
        return cls(round_id, after, outcomes, payouts, [grade.chips_cents for grade in grades])

    def results(self) -> str:
        """Its bets, for the digest of the whole plan."""
        bets = zip(self.outcomes, self.payouts_cents, self.chips_cents, strict=True)
        return ",".join(f"{outcome} {payout} {chips}" for outcome, payout, chips in bets)


class RoundDecision(NamedTuple):
    """A round with its present settlement, if any, and the one that the decision gives."""

    stored: RoundToJudge
    after: int
    """The sequence of the latest settlement; 0 for none."""
    before: Sequence[Grade]
    """The grades of its bets in that settlement; empty for none."""
    verdict: Verdict
    shortfalls: Mapping[int, int]
    """By customer account, the cents that the present settlement left owed."""

    @property
    def changes(self) -> bool:
        """Whether any bet is paid differently, or for the first time."""
        return tuple(self.before) != tuple(self.verdict.grades)

    @property
    def planned(self) -> PlannedSettlement:
        """What a proposal stores."""
        return PlannedSettlement.of(self.stored.id, self.after, self.verdict.grades)

    @property
    def net_cents(self) -> int:
        """What customers gain, cash and chips together."""
        paid = sum([grade.payout_cents for grade in self.verdict.grades])
        return paid - sum([grade.payout_cents for grade in self.before])


Rule = Callable[[RoundToJudge], Verdict]
"""Gives the verdict on one round."""


def decision_rule(remedy: Remedy, ruling: Ruling | None) -> Rule:
    """The rule that gives a round's verdict under a remedy, by the ruling given or implied."""

    def decide(stored: RoundToJudge) -> Verdict:
        applied = ruling or ruling_for(remedy, rule_set(stored.dealt.rules))
        if applied is None:
            return verdicts.void_verdict(stored.dealt, BY_DECISION)
        return judge_round(stored, applied)

    return decide


def compute_decisions(
    round_ids: Collection[UUID], rule: Rule
) -> tuple[list[RoundDecision], list[Obstacle]]:
    """The decisions of a rule on these rounds, in the order of execution, and the obstacles.

    Rounds that credit most come first. So a customer who is credited by one round and debited by
    another owes as little as possible.
    """
    latest = _latest(round_ids)
    before, shortfalls = _grades(latest), _shortfalls(latest)
    judged = set(
        Validation.objects.filter(round_id__in=round_ids).values_list("round_id", flat=True)
    )
    judged -= set(
        QueuedRound.objects.filter(round_id__in=round_ids).values_list("round_id", flat=True)
    )
    decisions, obstacles = list[RoundDecision](), list[Obstacle]()
    for stored in rounds_to_judge(round_ids):
        verdict = _verdict(stored, rule) if stored.id in judged else None
        if verdict is None or verdict.status == HELD:
            anomalies = () if verdict is None else verdict.anomalies
            waits = stored.id not in judged
            obstacles.append(Obstacle(stored.id, stored.dealt.round, waits, anomalies))
            continue
        after = latest.get(stored.id, 0)
        decisions.append(
            RoundDecision(
                stored, after, before.get(stored.id, ()), verdict, shortfalls.get(stored.id, {})
            )
        )
    return sorted(decisions, key=lambda decision: -decision.net_cents), obstacles


def digest_of_plan(plan: Iterable[PlannedSettlement]) -> bytes:
    """SHA-256 over every round: its present settlement and the new payout of each of its bets."""
    lines = sorted(
        f"{planned.round_id.hex}\t{planned.after}\t{planned.results()}\n" for planned in plan
    )
    return hashlib.sha256("".join(lines).encode()).digest()


def _verdict(stored: RoundToJudge, rule: Rule) -> Verdict | None:
    try:
        return rule(stored)
    except RulesChangedError:
        return None


def _latest(round_ids: Collection[UUID]) -> dict[UUID, int]:
    rows = Settlement.objects.filter(round_id__in=round_ids).order_by("sequence")
    return dict(rows.values_list("round_id", "sequence"))


def _grades(latest: Mapping[UUID, int]) -> dict[UUID, list[Grade]]:
    grades: defaultdict[UUID, list[Grade]] = defaultdict(list)
    rows = BetSettlement.objects.filter(round_id__in=latest).order_by("round_id", "bet_number")
    for round_id, sequence, *paid, reasons in rows.values_list(
        "round_id", "sequence", *Grade._fields
    ):
        if sequence == latest[round_id]:
            grades[round_id].append(Grade._make((*paid, tuple(reasons))))
    return grades


def _shortfalls(latest: Mapping[UUID, int]) -> dict[UUID, dict[int, int]]:
    shortfalls: defaultdict[UUID, dict[int, int]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_SHORTFALLS, [list(latest), list(latest.values())])
        for origin, account, cents in cursor.fetchall():
            shortfalls[origin][account] = cents
    return shortfalls
