"""What a decision makes of each round, computed without moving any money."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from payouts.cases.remedies import Remedy, ruling_for
from payouts.models import BetSettlement, Settlement
from payouts.services.results import digest_of, result_lines
from rounds.judging import RoundToJudge, rounds_to_judge
from rounds.models import QueuedRound, Validation
from rounds.rules import verdict as verdicts
from rounds.rules.catalogue import rule_set
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD, Grade, Verdict
from rounds.rules.void import BY_DECISION
from rounds.services.validate import RulesChangedError, judge_round

_GRADE: Final = ("outcome", "payout_cents", "chips_cents", "reasons")
_SHORTFALLS: Final = """
    SELECT origin, credit_id, sum(amount_cents)::bigint
      FROM payouts_transfer
     WHERE purpose = 'shortfall' AND (origin, entry) IN
           (SELECT * FROM unnest(%s::uuid[], %s::smallint[]))
     GROUP BY origin, credit_id
"""


class Obstacle(NamedTuple):
    """Why a round cannot be decided about so."""

    round_id: UUID
    reference: str
    waits: bool
    """It waits for a worker, which is a matter of moments."""
    anomalies: tuple[str, ...]
    """What its rules still find, empty where it waits or where its rules have changed."""


class RoundDecision(NamedTuple):
    """A round with the settlement it has, if it has one, and the one it would get."""

    stored: RoundToJudge
    after: int
    """The sequence of the latest settlement, 0 where there is none."""
    before: Sequence[Grade]
    """What its bets were paid by that one, empty where there is none."""
    verdict: Verdict
    shortfalls: Mapping[int, int]
    """By customers' accounts, the cents that the settlement before left owed."""

    @property
    def changes(self) -> bool:
        """Whether any bet is paid otherwise than before, or for the first time."""
        return tuple(self.before) != tuple(self.verdict.grades)

    @property
    def net_cents(self) -> int:
        """What customers have more of afterwards, cash and chips together."""
        paid = sum([grade.payout_cents for grade in self.verdict.grades])
        return paid - sum([grade.payout_cents for grade in self.before])


Rule = Callable[[RoundToJudge], Verdict]
"""What a decision makes of one round."""


def rule_of(remedy: Remedy, ruling: Ruling | None) -> Rule:
    """The verdict on a round under a remedy, by the ruling that is given or that it implies."""

    def decide(stored: RoundToJudge) -> Verdict:
        said = ruling or ruling_for(remedy, rule_set(stored.dealt.rules))
        if said is None:
            return verdicts.void_round(stored.dealt, BY_DECISION)
        return judge_round(stored, said)

    return decide


def decisions_on(
    round_ids: Collection[UUID], rule: Rule
) -> tuple[list[RoundDecision], list[Obstacle]]:
    """For each round what the rule makes of it, those first that give; and which it cannot decide.

    The order is that in which they are to be executed: who gets money from one round and gives it
    back from another is then short of as little as can be.
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
    return sorted(decisions, key=lambda one: -one.net_cents), obstacles


def digest_of_decisions(decisions: Collection[RoundDecision]) -> bytes:
    """SHA-256 over every round, the settlement it has, and what each of its bets would be paid."""
    lines = sorted(
        f"{one.stored.id.hex}\t{one.after}\t{digest_of(result_lines(one.verdict.grades)).hex()}\n"
        for one in decisions
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
    found: defaultdict[UUID, list[Grade]] = defaultdict(list)
    rows = BetSettlement.objects.filter(round_id__in=latest).order_by("round_id", "bet_number")
    for round_id, sequence, *grade in rows.values_list("round_id", "sequence", *_GRADE):
        if sequence == latest[round_id]:
            outcome, payout_cents, chips_cents, reasons = grade
            found[round_id].append(Grade(outcome, payout_cents, chips_cents, tuple(reasons)))
    return found


def _shortfalls(latest: Mapping[UUID, int]) -> dict[UUID, dict[int, int]]:
    found: defaultdict[UUID, dict[int, int]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_SHORTFALLS, [list(latest), list(latest.values())])
        for origin, account, cents in cursor.fetchall():
            found[origin][account] = cents
    return found
