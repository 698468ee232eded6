"""Lines of the feed, judged: deterministic, whole cents, and no payout without a rule."""

import json

from rounds.feed import document_of, parse_line
from rounds.replay import Judged, explanations_of, judge_lines, result_of
from rounds.rules.anomalies import ANOMALIES, PAYOUT_DIFFERS
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Bet
from rounds.rules.verdict import HELD, SETTLED, VOID, Grade, outcome_of
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, golden_lines


def check(data: bytes) -> None:
    """Two judgements are equal, and each keeps what verdicts promise."""
    lines = data.split(b"\n")
    judged = list(judge_lines(lines))
    assert [json.dumps(result_of(one)) for one in judged] == [
        json.dumps(result_of(one)) for one in judge_lines(lines)
    ]
    for one in judged_lines(data):
        check_verdict(one)


def judged_lines(data: bytes) -> list[Judged]:
    """The judged rounds among the lines of an input."""
    return [one for one in judge_lines(data.split(b"\n")) if isinstance(one, Judged)]


def check_verdict(judged: Judged) -> None:
    """What every verdict promises (contract, "What comes out")."""
    dealt, verdict = judged
    codes = verdict.anomalies
    assert list(codes) == sorted(set(codes))
    assert ANOMALIES.keys() >= set(codes)
    assert verdict.status in (SETTLED, HELD, VOID)
    assert (verdict.status == HELD) == bool(codes)
    assert verdict.status == HELD or len(verdict.grades) == len(dealt.bets)
    assert verdict.status != HELD or not verdict.grades or codes == (PAYOUT_DIFFERS,)
    if verdict.status == VOID:
        assert dealt.malfunction
        assert all(grade.outcome == VOID for grade in verdict.grades)
    for bet, grade in zip(dealt.bets, verdict.grades or (), strict=bool(verdict.grades)):
        check_grade(bet, grade, RULE_SETS[dealt.rules].citations.keys())
    explanations = explanations_of(judged)
    assert all(explanation.adds_up for explanation in explanations)
    assert [explanation.grade for explanation in explanations] == list(verdict.grades)
    rewritten = parse_line(json.dumps(document_of(dealt)))
    assert rewritten == dealt


def check_grade(bet: Bet, grade: Grade, citations: object) -> None:
    """Whole cents, the outcome that they are, and a rule for each."""
    staked = bet.stake_cents + bet.raised_cents
    assert type(grade.payout_cents) is int
    assert type(grade.chips_cents) is int
    assert 0 <= grade.chips_cents <= grade.payout_cents
    assert grade.chips_cents <= (bet.stake_cents if bet.golden else 0)
    assert grade.reasons
    assert set(grade.reasons) <= citations  # type: ignore[operator]
    if grade.outcome == VOID:
        assert grade.payout_cents == staked
    elif not bet.golden:
        expected = outcome_of(payout_cents=grade.payout_cents, staked_cents=staked)
        assert grade.outcome == expected


def seeds() -> list[bytes]:
    """The public cases, one by one and in pairs that share a shoe."""
    lines = list(golden_lines())
    pairs = [b"\n".join(lines[n : n + 2]) for n in range(0, len(lines) - 1, 5)]
    return [*lines, *pairs]


TARGET = Target(check, seeds, JsonMutation(seeds()), longest=8192)
