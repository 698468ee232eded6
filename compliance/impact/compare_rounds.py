"""Settled rounds judged by the rules in force and by changed ones.

Only settlements by the rules are compared, with a ruling on facts where there was one. What persons
decided otherwise, such as a void, would have been decided under any rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.key_ranges import KeyRange
from rounds.rule_inputs import RoundToJudge, rounds_to_judge
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling, judge_as_ruled
from rounds.rules.verdict import Verdict
from rounds.rulings import rulings_of

_AT_ONCE: Final = 10_000
"""The most bets in memory, unless a single round has more."""
_SETTLED: Final = """
    SELECT round.id, round.bet_count, settled.sequence, settled.payout_cents,
           settled.kind = 'void' AND settled.approved_by IS NOT NULL
      FROM rounds_round AS round
      JOIN LATERAL (SELECT sequence, payout_cents, kind, approved_by FROM payouts_settlement
                     WHERE round_id = round.id ORDER BY sequence DESC LIMIT 1) AS settled ON true
     WHERE {id} AND round.rules = ANY(%s)
     ORDER BY round.id
"""


class LineKey(NamedTuple):
    """Whose bets of which kind a line sums up."""

    rules: str
    kind: str
    customer: int | None
    """None for bets of all customers that would be paid the same."""


@dataclass(slots=True)
class Line:
    """Sums over bets, in cents, and the round of the largest difference."""

    bets: int = 0
    staked_cents: int = 0
    paid_cents: int = 0
    paid_chips_cents: int = 0
    other_cents: int = 0
    other_chips_cents: int = 0
    largest: int = -1
    example: UUID | None = None


@dataclass
class Comparison:
    """What rounds paid, and would have paid."""

    rounds: int = 0
    left_out_rounds: int = 0
    refused_rounds: int = 0
    refused_bets: int = 0
    refused_staked_cents: int = 0
    lines: dict[LineKey, Line] = field(default_factory=dict)

    def line(self, key: LineKey) -> Line:
        """The line of this key, an empty one at first."""
        return self.lines.setdefault(key, Line())


class _Settled(NamedTuple):
    id: UUID
    bet_count: int
    sequence: int
    payout_cents: int
    is_voided: bool
    """By two persons."""


def compare_rounds(
    keys: KeyRange, present: Mapping[str, RuleSet], changed: Mapping[str, RuleSet]
) -> Comparison:
    """The settled rounds of these keys that were played by one of these rule sets."""
    comparison = Comparison()
    for batch in _batches(keys, list(changed)):
        settled = {row.id: row for row in batch}
        rulings = rulings_of(list(settled))
        for stored in rounds_to_judge(list(settled)):
            row = settled[stored.id]
            ruling = rulings.get(stored.id, {}).get(row.sequence)
            before = _judged(present[stored.dealt.rules], stored, ruling)
            if row.is_voided or not _is_by_rules(row, before, stored, present):
                comparison.left_out_rounds += 1
                continue
            after = _judged(changed[stored.dealt.rules], stored, ruling)
            _compare(stored, before, after, comparison)
    return comparison


def _is_by_rules(
    row: _Settled, verdict: Verdict, stored: RoundToJudge, present: Mapping[str, RuleSet]
) -> bool:
    """Whether the settlement is that of these rules, which were in force then."""
    paid_cents = sum([grade.payout_cents for grade in verdict.grades])
    in_force = present[stored.dealt.rules].digest
    return (paid_cents, in_force) == (row.payout_cents, stored.rules_digest)


def _batches(keys: KeyRange, names: list[str]) -> Iterator[list[_Settled]]:
    batch, bets = list[_Settled](), 0
    with connection.cursor() as cursor:
        cursor.execute(_SETTLED.format(id=keys.holds("round.id")), [names])
        rows = [_Settled(*row) for row in cursor.fetchall()]
    for row in rows:
        if batch and bets + row.bet_count > _AT_ONCE:
            yield batch
            batch, bets = [], 0
        batch.append(row)
        bets += row.bet_count
    if batch:
        yield batch


def _judged(rules: RuleSet, stored: RoundToJudge, ruling: Ruling | None) -> Verdict:
    """The verdict, whatever reported payouts say, which follow other rules."""
    if ruling is None:
        return rules.judge(stored.dealt, stored.shoe_before, stored.limits)
    return judge_as_ruled(rules, stored.dealt, stored.shoe_before, stored.limits, ruling)


def _compare(stored: RoundToJudge, before: Verdict, after: Verdict, comparison: Comparison) -> None:
    dealt = stored.dealt
    if not after.grades and dealt.bets:
        comparison.refused_rounds += 1
        comparison.refused_bets += len(dealt.bets)
        comparison.refused_staked_cents += sum(
            [bet.stake_cents + bet.raised_cents for bet in dealt.bets]
        )
        return
    comparison.rounds += 1
    graded = zip(dealt.bets, stored.customers, before.grades, after.grades, strict=True)
    for bet, customer, was, now in graded:
        paid = was.payout_cents, was.chips_cents
        other = now.payout_cents, now.chips_cents
        line = comparison.line(LineKey(dealt.rules, bet.kind, None if paid == other else customer))
        line.bets += 1
        line.staked_cents += bet.stake_cents + bet.raised_cents
        line.paid_cents += paid[0]
        line.paid_chips_cents += paid[1]
        line.other_cents += other[0]
        line.other_chips_cents += other[1]
        if paid != other and (difference := abs(other[0] - paid[0])) > line.largest:
            line.largest, line.example = difference, stored.id
